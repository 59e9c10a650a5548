export default function Ui() {
  return (
    <main>
      <h1>ui</h1>
    </main>
  );
}

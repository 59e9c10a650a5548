export default function Home() {
  return <h1>Blue Dot</h1>;
}

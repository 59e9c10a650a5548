import { Button } from "~/ui/button.tsx";

type Props = {
  providers: { id: string; name: string }[];
  /** How each button begins: 'Continue with', 'Link'. */
  verb: string;
  /** Everything behind the address of the form, e.g. `?redirect=/courses`. */
  query?: string;
  /** Fields that go along. */
  fields?: Record<string, string>;
};

/** A form a provider: pressing leads there, with and without scripts. */
export function ProviderButtons({ providers, verb, query = "", fields = {} }: Props) {
  return providers.map(({ id, name }) => (
    <form key={id} method="post" action={`/auth/providers/${id}${query}`} className="grid">
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button type="submit" variant="outline" size="lg">
        {`${verb} ${name}`}
      </Button>
    </form>
  ));
}

/** Below a form that does the same by other means. */
export function Or() {
  return (
    <p className="flex items-center gap-4 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}

import { Button } from "~/ui/button.tsx";

type Props = {
  providers: { id: string; name: string }[];
  verb: string;
  /** Query string of the form's address, e.g. `?redirect=/courses`. */
  query?: string;
  fields?: Record<string, string>;
};

/** One form per provider; works without scripts. */
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

export function Or() {
  return <p className="between-lines flex items-center gap-4 text-ink-soft">or</p>;
}

/** The element with that ID. Throws where the page has none of that kind. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} "${id}"`);
}

/** Shows pairs of a name and a value in a list of descriptions; what has no value is left out. */
export function showFacts(
  list: HTMLElement,
  facts: Readonly<Record<string, string | number | undefined>>,
): void {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  list.replaceChildren(
    ...shown.map(([name, value]) => {
      const pair = document.createElement('div');
      pair.append(withText('dt', name), withText('dd', String(value)));
      return pair;
    }),
  );
}

/** An element with a text: never markup, whatever the text says. */
function withText(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Reads one of the console's own documents; undefined where there is none yet. */
export async function readData<Shape>(name: string): Promise<Shape | undefined> {
  const response = await fetch(`/console/data/${name}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${response.status} from the console`);
  // The console's server and its page are of one version: each document has one shape.
  return (await response.json()) as Shape;
}

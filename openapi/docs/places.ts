import { FORMER_PAGES } from './former-pages.ts'
import type { OpenApiDocument } from '../reading/document.ts'
import { operationsOf, type Operation } from '../reading/operations.ts'

/** The requests in the docs: calls by merchants, then messages from Malipo and from customers' browsers. */
export const operationsInOrder = (document: OpenApiDocument): readonly Operation[] =>
  (['operation', 'message', 'redirect'] as const).flatMap((wanted) =>
    operationsOf(document).filter(({ kind }) => kind === wanted),
  )

/**
 * The place of each page in the HTML file, by the names that links in the contract use (`tag/errors`,
 * `operation/sendFunds`). Redoc understands these names too, but only after it has started: until then it says that
 * there is no such page.
 */
export function placesIn(document: OpenApiDocument): ReadonlyMap<string, string> {
  const operations = operationsInOrder(document)
  return new Map([
    ...(document.tags ?? []).map(({ name }): [string, string] => [`tag/${name}`, `/${name}`]),
    ...Object.entries(FORMER_PAGES).map(([former, name]): [string, string] => [`tag/${former}`, `/${name}`]),
    ...operations.map((operation): [string, string] => {
      // A redirect is shown with the collection that it ends.
      const { id, tags } = operations.find((each) => each.id === operation.cause) ?? operation
      return [`operation/${operation.id}`, `/${tags[0]}/${id.toLowerCase()}`]
    }),
  ])
}

/** Links by name, as links to places. */
export const toPlaces = (text: string, places: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\]\(#((?:tag|operation)\/[\w-]+)\)/g, (whole, name: string) =>
    places.has(name) ? `](#${places.get(name)})` : whole,
  )

/**
 * For the head of the HTML file: an address by name becomes one by place before Redoc reads it, and `#try/sendFunds`
 * opens the console there.
 */
export const placesScript = (places: ReadonlyMap<string, string>): string => `<script>
(() => {
  const places = ${JSON.stringify(Object.fromEntries(places)).replaceAll('<', '\\u003c')};
  const name = location.hash.slice(1);
  const tried = /^try\\/(\\w+)$/.exec(name)?.[1];
  if (tried !== undefined) document.documentElement.dataset.tried = tried;
  const place = places[tried === undefined ? name : 'operation/' + tried];
  if (place !== undefined) history.replaceState(null, '', '#' + place);
})();
</script>`

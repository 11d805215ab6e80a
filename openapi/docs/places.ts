import { operationsOf, requestsToMerchants, type Contract } from './contract.ts'

/**
 * Where the HTML file shows each page, by the names that links in the contract use (`tag/errors`,
 * `operation/sendFunds`). Redoc understands these names too, but only after it has started: until then it says that
 * there is no such page.
 */
export function placesIn(contract: Contract): ReadonlyMap<string, string> {
  const placed = [...operationsOf(contract), ...requestsToMerchants(contract)].map(({ operation }) => operation)
  const inside = new Map(
    operationsOf(contract).flatMap(({ operation }) =>
      Object.values(operation.callbacks ?? {}).flatMap((urls) =>
        Object.values(urls).flatMap((methods) =>
          Object.values(methods).map(({ operationId }): [string, typeof operation] => [operationId, operation]),
        ),
      ),
    ),
  )
  return new Map([
    ...contract.tags.map(({ name }): [string, string] => [`tag/${name}`, `/${name}`]),
    ...placed.map((operation): [string, string] => {
      // A redirect is shown with the collection that it ends.
      const { operationId, tags } = inside.get(operation.operationId) ?? operation
      return [`operation/${operation.operationId}`, `/${tags[0]}/${operationId.toLowerCase()}`]
    }),
  ])
}

/** Links by name, as links to places. */
export const toPlaces = (text: string, places: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\]\(#((?:tag|operation)\/[\w-]+)\)/g, (whole, name: string) =>
    places.has(name) ? `](#${places.get(name)})` : whole,
  )

/**
 * For the head of the HTML file: an address by name becomes one by place before Redoc looks at it, and `#try/sendFunds`
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

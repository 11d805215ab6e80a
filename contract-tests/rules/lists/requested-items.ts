import { listOf, type Fields } from '../../harness/json.ts'
import { faultIf, type Fault, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { listIn } from './list-readings.ts'

/** Items have the values of the query, where they name them; no two have one name, and no page has more than `limit`. */
const judge: Judge = (seen) => {
  const { operation, exchange } = seen
  if (!operation || exchange.reply.status !== 200) return []
  const { names = [] } = listIn(seen) ?? {}
  const lists = Object.values(seen.data).map(listOf)
  const items = lists.flat()
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  const query = new URLSearchParams(seen.query)
  const declared = new Set(operation.parameters.map(({ name }) => name))
  const limit = declared.has('limit') ? Number(query.get('limit') ?? '') : 0
  const count = Math.max(0, ...lists.map(({ length }) => length))
  const unique = [...query].filter(([name]) => declared.has(name) && query.getAll(name).length === 1)
  return [
    ...faultIf(twice !== undefined, `${operation.id} twice`, `a list has ${twice} twice`),
    ...faultIf(limit > 0 && count > limit, 'limit of a page', `a page of at most ${limit} has ${count} items`),
    ...(operation.id === 'listEvents' ? eventFaults(items, Number(query.get('after') ?? '')) : []),
    ...unique.flatMap(([name, value]) => {
      const other = otherIn(items, name, value)
      return faultIf(
        other !== undefined,
        `${operation.id} ${name}`,
        `a list requested for ${name} ${value} has an item with ${other}`,
      )
    }),
  ]
}

/** Events are numbered upward, and begin after the one that was named. */
function eventFaults(events: readonly Fields[], after: number): readonly Fault[] {
  const numbers = events.map((event) => Number(event.number))
  const early = numbers.findIndex((number, index) => number <= (numbers[index - 1] ?? after))
  const what = `a list requested for what is after ${after} has event ${numbers[early]} behind ${numbers[early - 1] ?? after}`
  return faultIf(early >= 0, 'order of events', what)
}

/**
 * The value of an item that was not requested. An empty parameter counts as absent; one called `reference` is the
 * beginning of the merchant's.
 */
const otherIn = (items: readonly Fields[], name: string, value: string): string | undefined =>
  items
    .map((item) => (name === 'reference' ? item.merchant_reference : (item[name] ?? item[`transaction_${name}`])))
    .filter((own) => typeof own === 'string')
    .find((own) =>
      name === 'reference' ? !own.startsWith(value) : value !== '' && own.toUpperCase() !== value.toUpperCase(),
    )

export const requestedItemsRule: Rule = {
  name: 'requested items',
  reason:
    'A list has only what was requested, each item once, and at most as many as were requested; events are in order.',
  plantedFault: 'wallets-of-all-currencies',
  judging: () => ({ each: judge }),
}

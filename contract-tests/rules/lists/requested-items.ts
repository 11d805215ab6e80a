import { listOf, type Fields } from '../../harness/json.ts'
import { faultIf, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { listIn } from './list-readings.ts'

/** Items have the values of the query, where they name them; no two have one name. */
const judge: Judge = (seen) => {
  const { operation, exchange } = seen
  if (!operation || exchange.reply.status !== 200) return []
  const { names = [] } = listIn(seen) ?? {}
  const items = Object.values(seen.data).flatMap(listOf)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  const query = new URLSearchParams(seen.query)
  const declared = new Set(operation.parameters.map(({ name }) => name))
  const unique = [...query].filter(([name]) => declared.has(name) && query.getAll(name).length === 1)
  return [
    ...faultIf(twice !== undefined, `${operation.id} twice`, `a list has ${twice} twice`),
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
  reason: 'A list has only what was requested, and each item once.',
  plantedFault: 'wallets-of-all-currencies',
  judging: () => ({ each: judge }),
}

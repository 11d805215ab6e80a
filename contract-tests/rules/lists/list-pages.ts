import { fieldsOf } from '../../harness/json.ts'
import { faultIf, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'

/** A page has no more than its `limit`; events are numbered upward, and begin after the one that was named. */
const judge: Judge = ({ operation, exchange, query, data }) => {
  if (exchange.reply.status !== 200 || !operation?.parameters.some(({ name }) => name === 'limit')) return []
  const asked = new URLSearchParams(query)
  const lists = Object.values(data).filter((each) => Array.isArray(each))
  const limit = Number(asked.get('limit') ?? '')
  const count = Math.max(0, ...lists.map(({ length }) => length))
  const after = Number(asked.get('after') ?? '')
  const numbers = operation.id === 'listEvents' ? lists.flat().map((event) => Number(fieldsOf(event).number)) : []
  const early = numbers.find((number) => number <= after)
  const unordered = numbers.find((number, index) => index > 0 && number <= Number(numbers[index - 1]))
  return [
    ...faultIf(limit > 0 && count > limit, 'limit of a page', `a page of at most ${limit} has ${count} items`),
    ...faultIf(early !== undefined, 'events after', `a list requested for what is after ${after} has event ${early}`),
    ...faultIf(unordered !== undefined, 'order of events', `event ${unordered} comes behind one with a higher number`),
  ]
}

export const listPagesRule: Rule = {
  name: 'pages of lists',
  reason: 'A page has at most as many items as were requested, and events come after the one named, in their order.',
  plantedFault: 'events-from-the-start',
  judging: () => ({ each: judge }),
}

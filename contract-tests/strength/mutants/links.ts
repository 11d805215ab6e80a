import type { Operation, Response } from '../../../openapi/reading/operations.ts'
import { memberOf } from '../../../openapi/reading/references.ts'
import type { RecordedExchange } from './corpus.ts'
import type { CheckedContract } from './checked-contract.ts'

type Links = Response['links']

/**
 * Faults of links: each leads to an existing operation with a value that it accepts, was followed, and no link is
 * missing.
 */
export function* linkFaults(
  { declared, seen }: CheckedContract,
  exchanges: readonly RecordedExchange[],
): Generator<string> {
  const used = new Map<string, Set<string>>() // reference → operations that answered 2xx to it
  for (const exchange of exchanges) {
    if (exchange.answeredBy !== 'gateway' || exchange.status >= 300 || exchange.operationId === undefined) continue
    for (const reference of [
      decodeURIComponent(exchange.path.slice(exchange.path.lastIndexOf('/') + 1)),
      textAt(exchange.requestBody.value, ['internal_reference']),
    ]) {
      if (reference !== undefined) used.set(reference, (used.get(reference) ?? new Set()).add(exchange.operationId))
    }
  }
  const reported = new Set<string>()
  for (const exchange of exchanges) {
    if (exchange.answeredBy !== 'gateway' || exchange.status !== 202) continue
    const operation = declared.find(({ id }) => id === exchange.operationId)
    if (!operation) continue
    const links = operation.responses.find(({ status }) => status === '202')?.links ?? []
    for (const fault of [
      ...brokenLinks(declared, links, exchange),
      ...missingLinks(operation.id, links, exchange, used),
    ]) {
      if (!reported.has(fault)) yield fault
      reported.add(fault)
    }
    for (const { name, link } of links) {
      const handedOver = valueHandedOver(link, exchange)
      if (used.get(handedOver ?? '')?.has(link.operationId ?? '')) seen.add(`${operation.id} 202 link ${name}`)
    }
  }
}

/** The value that identifies the transaction for the operation of a link. */
function valueHandedOver(
  { parameters = {}, requestBody = {} }: Links[number]['link'],
  exchange: RecordedExchange,
): string | undefined {
  const [expression] = [...Object.values(parameters), ...Object.values(requestBody)].filter(
    (value): value is string => typeof value === 'string' && value.startsWith('$'),
  )
  return expression === undefined ? undefined : evaluate(expression, exchange)
}

/** A runtime expression of OpenAPI (section 4.8.20.4), as far as this contract uses them. */
function evaluate(expression: string, { requestBody, replyBody }: RecordedExchange): string | undefined {
  const [, from, pointer] = /^\$(request|response)\.body#\/(.+)$/.exec(expression) ?? []
  return pointer === undefined
    ? undefined
    : textAt((from === 'request' ? requestBody : replyBody).value, pointer.split('/'))
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce(memberOf, value)
  return typeof found === 'string' ? found : undefined
}

function* brokenLinks(declared: readonly Operation[], links: Links, exchange: RecordedExchange): Generator<string> {
  for (const { name, link } of links) {
    const target = declared.find(({ id }) => id === link.operationId)
    if (!target) yield `the link ${name} leads to ${link.operationId}, which does not exist`
    for (const parameter of Object.keys(link.parameters ?? {})) {
      if (target && !target.parameters.some((candidate) => candidate.name === parameter))
        yield `the link ${name} hands over ${parameter}, which ${target.id} does not take`
    }
    for (const expression of [...Object.values(link.parameters ?? {}), ...Object.values(link.requestBody ?? {})]) {
      if (typeof expression === 'string' && expression.startsWith('$') && evaluate(expression, exchange) === undefined)
        yield `the link ${name} hands over ${expression}, which the reply does not have`
    }
  }
}

function* missingLinks(
  operationId: string,
  links: Links,
  exchange: RecordedExchange,
  used: ReadonlyMap<string, ReadonlySet<string>>,
): Generator<string> {
  for (const name of ['merchant_reference', 'internal_reference']) {
    for (const next of used.get(textAt(exchange.replyBody.value, ['data', name]) ?? '') ?? []) {
      if (next !== operationId && !links.some(({ link }) => link.operationId === next))
        yield `${operationId}: its 202 leads to ${next}, and no link says so`
    }
  }
}

/** The browser came to the address that the callback's expression selects in the request. */
export function* callbackFaults(
  { declared }: Pick<CheckedContract, 'declared'>,
  exchanges: readonly RecordedExchange[],
): Generator<string> {
  const callbacks = declared.filter(({ path }) => path.startsWith('{$'))
  const requests = new Map(
    exchanges.flatMap((exchange) => {
      const reference = textAt(exchange.replyBody.value, ['data', 'internal_reference'])
      return exchange.status === 202 && reference !== undefined ? [[reference, exchange] as const] : []
    }),
  )
  for (const exchange of exchanges) {
    const callback = callbacks.find(({ id }) => id === exchange.operationId)
    const request = requests.get(exchange.query.get('internal_reference')?.[0] ?? '')
    if (!callback || !request) continue
    const address = evaluate(callback.path.slice(1, -1), request)
    if (address === undefined || new URL(address).pathname !== exchange.path) {
      yield `${callback.id}: ${callback.path} is not where the browser was sent`
      return
    }
  }
}

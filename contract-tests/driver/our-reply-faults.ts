import { jsonOf } from '../../openapi/reading/wire.ts'
import { fieldsOf, isFields } from '../harness/json.ts'
import type { WireReply } from '../harness/proxy.ts'
import type { Fault } from './case-runner.ts'
import type { DeclaredCase } from './declared-case.ts'
import { shownText } from './reply-form.ts'

/** Faults of a reply of our contract that its schema does not show. @param isAccepted whether its status is right */
export function ourReplyFaults(of: DeclaredCase, reply: WireReply, isAccepted: boolean): readonly Fault[] {
  const { rule, request, replayed, empty } = of
  const { status, headers } = reply
  const body = fieldsOf(jsonOf(reply.body))
  const reported = `${rule} was answered ${status}`
  const isReplay = headers['idempotency-replayed'] !== undefined
  const faults: readonly (Fault | false)[] = [
    isReplay &&
      request.headers['idempotency-key'] === undefined && {
        key: 'replay of nothing',
        what: `a reply ${status} says Idempotency-Replayed, and the request had no Idempotency-Key`,
      },
    body['code'] !== undefined &&
      body['code'] !== status && {
        key: 'code',
        what: `a reply ${status} has the code ${JSON.stringify(body['code'])} in its body`,
      },
    isAccepted &&
      replayed === true &&
      !isReplay && { key: 'replayed', what: `${reported} without Idempotency-Replayed` },
    isAccepted &&
      replayed === false &&
      isReplay && { key: 'not replayed', what: `${reported} with Idempotency-Replayed` },
    isAccepted &&
      empty === true &&
      itemsIn(body).length > 0 && {
        key: `${rule}: not empty`,
        what: `${reported} with a list that is not empty: ${shownText(reply)}`,
      },
  ]
  return [...faults.filter((fault) => fault !== false), ...(isAccepted && status === 200 ? listFaults(of, body) : [])]
}

const itemsIn = (body: object) =>
  Object.values(fieldsOf(fieldsOf(body)['data'])).flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : []))

/** A list contains only what was requested: items have the values of the query, where they name them. */
function listFaults({ request: { path } }: DeclaredCase, body: object): readonly Fault[] {
  return [...new URLSearchParams(path.split('?')[1])].flatMap(([name, value]) => {
    // An empty parameter counts as absent: nothing was requested.
    if (value === '') return []
    const other = itemsIn(body)
      .map((item) => item[name] ?? item[`transaction_${name}`])
      .filter((own) => typeof own === 'string')
      .find((own) => own.toUpperCase() !== value.toUpperCase())
    const what = `a list requested for ${name} ${value} has an item with ${other}`
    return other === undefined ? [] : [{ key: `list ${name}`, what }]
  })
}

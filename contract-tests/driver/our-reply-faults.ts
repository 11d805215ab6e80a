import { jsonOf } from '../../openapi/reading/wire.ts'
import { fieldsOf } from '../harness/json.ts'
import type { WireReply } from '../harness/proxy.ts'
import type { Fault } from './case-runner.ts'
import type { DeclaredCase } from './declared-case.ts'

/** Faults of a reply of our contract that its schema does not show. @param isAccepted whether its status is right */
export function ourReplyFaults(of: DeclaredCase, reply: WireReply, isAccepted: boolean): readonly Fault[] {
  const { rule, request, replayed } = of
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
  ]
  return faults.filter((fault) => fault !== false)
}

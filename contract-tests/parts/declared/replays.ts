import { changed } from '../../../openapi/reading/changed.ts'
import type { Operation } from '../../../openapi/reading/contract.ts'
import { present } from '../../harness/part.ts'
import { toRequest, type DeclaredCase, type Draft, type Expectation } from './declared-case.ts'
import type { CaseRunner } from './case-runner.ts'
import type { DeviationInput } from './deviations.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { SurveyContext } from './survey-context.ts'
import { NUMBER_OF_ANOTHER_OPERATOR, UNKNOWN_REFERENCE } from './sandbox.ts'

const WRONG_PASSWORD = 654_321

/** Repeats a request under its Idempotency-Key, sends another one under it, and refused ones. */
export async function replays(
  context: SurveyContext,
  operation: Operation,
  { bodies, success }: DeviationInput,
  draft: Draft,
): Promise<void> {
  const { target, fresh, runner } = context
  const [make, makeOther] = [bodies[0], bodies.at(-1)]
  if (!make || !makeOther) return
  const keyed = (body: unknown): DeclaredCase['request'] =>
    toRequest(operation, {
      ...draft,
      parameters: { ...draft.parameters, 'Idempotency-Key': `declared-${fresh()}` },
      body,
    })
  const accepted: Expectation = { statuses: [success], orAsShown: true }
  const first = make()
  const request = keyed(first)
  await twice(runner, operation, request, accepted)
  const other = { ...toRequest(operation, { ...draft, body: makeOther() }), headers: request.headers }
  if (!other.body.equals(request.body))
    await runner.put({
      operation,
      rule: 'another request with an Idempotency-Key that was used',
      expect: { statuses: [409] },
      request: other,
    })
  if (!target.sandbox) return
  // A business rule refused it: nothing was carried out, so the key is free. A wrong OTP has used up an attempt, so
  // that refusal is kept.
  const acceptable = make()
  const refused = refusedBodies(first, acceptable).map(({ body, ...rest }) => ({ ...rest, request: keyed(body) }))
  for (const { request: again, status, isKept } of refused)
    await twice(runner, operation, again, { statuses: [status] }, isKept)
  const {
    request: { headers },
  } = present(refused[0], 'refused request')
  await runner.put({
    operation,
    rule: 'a corrected request with the Idempotency-Key of a refused one',
    expect: { statuses: [success], replayed: false },
    request: { ...keyed(acceptable), headers },
  })
}

async function twice(
  { put, note }: CaseRunner,
  operation: Operation,
  request: DeclaredCase['request'],
  expect: Expectation,
  replayed = true,
): Promise<void> {
  const one = await put({ operation, rule: 'a request with an Idempotency-Key', expect, request })
  const again: DeclaredCase = {
    operation,
    rule: 'the same request with the same Idempotency-Key',
    expect: { ...expect, replayed },
    request,
  }
  const two = await put(again)
  if (one && two && !one.body.equals(two.body))
    note('replay', again, 'the same request with the same Idempotency-Key was answered otherwise than the first')
}

/** Requests that a business rule refuses, built from an accepted body and an acceptable one. */
function refusedBodies(
  accepted: unknown,
  acceptable: unknown,
): { readonly body: unknown; readonly status: number; readonly isKept: boolean }[] {
  if ('otp' in fieldsOf(accepted)) {
    return [
      { body: changed(accepted, ['internal_reference'], UNKNOWN_REFERENCE), status: 404, isKept: false },
      { body: accepted, status: 409, isKept: false },
      { body: changed(acceptable, ['otp'], WRONG_PASSWORD), status: 400, isKept: true },
    ]
  }
  const phone = 'msisdn' in fieldsOf(accepted) ? 'msisdn' : 'account_number'
  return [
    { body: changed(acceptable, [phone], NUMBER_OF_ANOTHER_OPERATOR), status: 400, isKept: false },
    { body: accepted, status: 409, isKept: false },
  ]
}

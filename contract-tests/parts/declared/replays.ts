import { changed } from '../../../openapi/reading/changed.ts'
import type { Operation } from '../../../openapi/reading/contract.ts'
import { present, type Target } from '../../harness/part.ts'
import type { DeclaredCase } from '../../driver/declared-case.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { SurveyContext } from './survey.ts'
import { NUMBER_OF_ANOTHER_OPERATOR, UNKNOWN_REFERENCE } from './sandbox.ts'

/** What the requests of our own contract need besides. */
export interface OurContext extends Omit<SurveyContext, 'target'> {
  readonly target: Target
  /** A new number at each call. */
  readonly next: () => number
}

const WRONG_PASSWORD = 654_321
const KEY = 'header Idempotency-Key'

type Rest = Pick<DeclaredCase, 'expect' | 'statuses' | 'replayed'>

/** Repeats a request under its Idempotency-Key, sends another one under it, and refused ones. */
export async function replays(context: OurContext, operation: Operation): Promise<void> {
  const { target, next, traffic, put } = context
  const [first] = await traffic.drafts(operation)
  const second = (await traffic.drafts(operation)).at(-1)
  const acceptable = (await traffic.drafts(operation))[0]?.draft.body
  if (!first || !second || first.draft.body === undefined) return
  const keyed = (body: unknown, key = `declared-${next()}`): DeclaredCase['request'] =>
    traffic.toRequest(operation, {
      ...first.draft,
      parameters: { ...first.draft.parameters, [KEY]: key },
      body,
    })
  const key = `declared-${next()}`
  await twice(context, operation, keyed(first.draft.body, key), { expect: 'accepted' })
  await put({
    operation,
    rule: 'another request with an Idempotency-Key that was used',
    expect: 'success',
    statuses: [409],
    request: keyed(second.draft.body, key),
  })
  if (!target.sandbox) return
  // A business rule refused it: nothing was carried out, so the key is free. A wrong OTP has used up an attempt, so
  // that refusal is kept.
  const freeKey = `declared-${next()}`
  for (const [index, { body, status, isKept }] of refusedBodies(first.draft.body, acceptable).entries()) {
    const request = keyed(body, index === 0 ? freeKey : undefined)
    await twice(context, operation, request, { expect: 'success', statuses: [status], replayed: isKept })
  }
  await put({
    operation,
    rule: 'a corrected request with the Idempotency-Key of a refused one',
    expect: 'accepted',
    replayed: false,
    request: keyed(present(acceptable, 'body'), freeKey),
  })
}

/** @param rest of the repeat; the first one is never marked as a replay */
async function twice(
  { put, note }: OurContext,
  operation: Operation,
  request: DeclaredCase['request'],
  { replayed = true, ...rest }: Rest,
): Promise<void> {
  const one = await put({ operation, rule: 'a request with an Idempotency-Key', request, ...rest })
  const rule = 'the same request with the same Idempotency-Key'
  const again: DeclaredCase = { operation, rule, request, ...rest, replayed }
  const two = await put(again)
  if (one && two && !one.body.equals(two.body)) note('replay', again, `${rule} was answered otherwise than the first`)
}

interface RefusedBody {
  readonly body: unknown
  readonly status: number
  readonly isKept: boolean
}

/** Requests that a business rule refuses, built from an accepted body and an acceptable one. */
function refusedBodies(accepted: unknown, acceptable: unknown): readonly RefusedBody[] {
  const fields = fieldsOf(accepted)
  const used: RefusedBody = { body: accepted, status: 409, isKept: false }
  const wrong = (path: readonly (string | number)[], value: unknown, status: number): RefusedBody => ({
    body: changed(acceptable, path, value),
    status,
    isKept: false,
  })
  if ('otp' in fields)
    return [
      wrong(['internal_reference'], UNKNOWN_REFERENCE, 404),
      used,
      { ...wrong(['otp'], WRONG_PASSWORD, 400), isKept: true },
    ]
  if (Object.keys(fields).length === 1) return [wrong(['merchant_reference'], 'PAYOUT-NOBODY-MADE', 404), used]
  if ('payouts' in fields) return [wrong(['payouts', 0, 'account_number'], NUMBER_OF_ANOTHER_OPERATOR, 400), used]
  if ('collection_reference' in fields) return [wrong(['collection_reference'], UNKNOWN_REFERENCE, 404), used]
  if ('customer_reference' in fields) return [wrong(['currency'], 'KES', 400), used]
  return [wrong(['msisdn' in fields ? 'msisdn' : 'account_number'], NUMBER_OF_ANOTHER_OPERATOR, 400), used]
}

import { fieldsOf } from '../../harness/json.ts'
import type { RunOptions } from '../../harness/part.ts'
import { exampleDraft, withEnding } from '../../driver/our-account.ts'
import { replays, type OurContext } from './replays.ts'
import { sandboxRequests } from './sandbox.ts'

/** Refused for the customer's balance; no answer at all (docs, page "Test numbers"). */
const OUTCOMES = ['002', '006']
/** Longer than a simulated operator takes, shorter than the next poll. */
const OUTCOME_MS = 5_000

/** Requests of our own contract that its schemas do not lead to. */
export async function ourRequests(context: OurContext, { operations: wanted }: RunOptions): Promise<void> {
  const { target, contract, traffic, put } = context
  const isWanted = (id: string): boolean => wanted === undefined || wanted.includes(id)
  for (const operation of contract.operations)
    if (isWanted(operation.id) && operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
      await replays(context, operation)
  if (!target.sandbox) return
  for (const request of sandboxRequests({ ...context, request: traffic.toRequest }))
    if (isWanted(request.operation.id)) await put(request)
  if (isWanted('verifyTransaction')) await outcomes(context)
}

/**
 * Collections that fail, and that stay without an answer, as the examples show them; on a clock of ours, to their end.
 */
async function outcomes({ target, contract, traffic, next, put }: OurContext): Promise<void> {
  const [collect, verify] = ['initializeCollection', 'verifyTransaction'].map((id) =>
    contract.operations.find((each) => each.id === id),
  )
  if (!collect || !verify) return
  const made: unknown[] = []
  for (const ending of OUTCOMES) {
    const draft = withEnding(exampleDraft(contract, collect, { next }), ending)
    const rule = `a collection from a number that ends in ${ending}`
    await put({ operation: collect, rule, expect: 'success', request: traffic.toRequest(collect, draft) })
    made.push(fieldsOf(draft.body)['merchant_reference'])
  }
  await target.own?.advance(0)
  await target.own?.advance(OUTCOME_MS)
  for (const merchant_reference of made) {
    const draft = exampleDraft(contract, verify, { next, parameters: { merchant_reference } })
    const rule = 'a collection that was made before'
    await put({ operation: verify, rule, expect: 'success', request: traffic.toRequest(verify, draft) })
  }
}

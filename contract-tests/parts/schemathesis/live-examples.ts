import { readContract } from '../../../openapi/reading/contract.ts'
import { at, type Draft } from '../../driver/draft.ts'
import { contractTarget, ourKnowledge, shortPeriod } from '../../driver/our-account.ts'
import type { Keys } from '../../driver/requests.ts'
import { createTraffic } from '../../driver/traffic.ts'
import { present } from '../../harness/part.ts'
import type { Example, OpenApiDocument } from '../../schemathesis-runner-wrapper/index.ts'

/** Operations about what must exist on the server: the number of examples, and the component of a path parameter. */
const LIVE: readonly (readonly [operation: string, examples: number, parameter?: string])[] = [
  ['verifyTransaction', 1, 'MerchantReferenceInPath'],
  ['retrieveRefund', 1, 'RefundReferenceInPath'],
  ['getPayoutBatch', 1, 'BatchReferenceInPath'],
  ['cancelPayout', 1],
  // One request uses each of them up.
  ['refundCollection', 5],
  ['authorizeCollection', 6],
]

/**
 * Replaces example values of a copy by ones that are made on this gateway. No schema changes.
 * @param path of the contract @param start of the values that a server accepts once
 * @throws Error when the contract has changed and this copy must follow it
 */
export async function withLiveExamples(
  copy: OpenApiDocument,
  path: string | URL,
  server: Keys & { readonly url: string },
  start: number,
): Promise<OpenApiDocument> {
  const contract = readContract(path)
  const { from, to } = shortPeriod()
  present(copy.components?.parameters?.['FromOfStatement'], 'from').example = from
  present(copy.components?.parameters?.['ToOfStatement'], 'to').example = to
  let counter = start
  const next = (): number => counter++
  const target = { ...server, contract: '', sandbox: true }
  const knowledge = ourKnowledge(target, contract, next)
  const traffic = createTraffic(contractTarget(target, contract), contract, next, knowledge)
  for (const [id, count, name] of LIVE) {
    const operation = present(
      contract.operations.find((each) => each.id === id),
      `operation ${id}`,
    )
    const drafts: Draft[] = []
    for (let made = 0; made < count; made += 1)
      drafts.push(present((await traffic.drafts(operation))[0], `request of ${id}`).draft)
    if (name === undefined) {
      const body = copy.paths?.[operation.path]?.post?.requestBody?.content?.['application/json']
      const examples = drafts.map((draft, index): [string, Example] => [`live_${index}`, { value: draft.body }])
      present(body, `body of ${id}`).examples = Object.fromEntries(examples)
    } else {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(at)
      present(copy.components?.parameters?.[name], name).example = drafts[0]?.parameters[inPath[0] ?? '']
    }
  }
  return copy
}

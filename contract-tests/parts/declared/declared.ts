import { readContract } from '../../../openapi/reading/contract.ts'
import { createCaseRunner, type CaseRunner } from '../../driver/case-runner.ts'
import type { ContractPart } from '../../driver/contract-target.ts'
import type { DeclaredCase } from '../../driver/declared-case.ts'
import { contractTarget, createOurRunner, ourKnowledge } from '../../driver/our-account.ts'
import { judgeReply } from '../../driver/reply-judge.ts'
import { createTraffic } from '../../driver/traffic.ts'
import { beginPart, type Part, type RunOptions, type Target } from '../../harness/part.ts'
import { createRemarks } from './remarks.ts'
import { replays, type OurContext } from './replays.ts'
import { sandboxRequests } from './sandbox.ts'
import { survey } from './survey.ts'

const NAME = { name: 'declared', what: 'each thing the contract declares, once', byOperation: true } as const

/** Numbers of one seed have a range of their own. Not a round number: phone numbers use the last digits. */
const NUMBERS_PER_SEED = 9_973
const SEEDS = 10_000
/** A third party's server keeps its references for ever: the start is most likely in no earlier run's range. */
const NUMBERS = 90_000_000

const numbersFrom = (start: number): (() => number) => {
  let counter = start % NUMBERS
  return () => counter++
}

/** Requests everything that our contract declares, once each: one request, one difference, one verdict, one curl line. */
export const declaredPart: Part = {
  ...NAME,
  async run(target: Target, options) {
    const { done } = beginPart('declared', options.seed)
    const contract = readContract(target.contract)
    const next = numbersFrom(target.own ? (options.seed % SEEDS) * NUMBERS_PER_SEED : Date.now())
    const runner: CaseRunner<DeclaredCase> = createOurRunner(target, contract)
    const remarks = createRemarks()
    const traffic = createTraffic(
      contractTarget(target, contract),
      contract,
      next,
      ourKnowledge(target, contract, next),
    )
    const context = { target: contractTarget(target, contract), contract, traffic, ...runner, ...remarks }
    await survey(context, options)
    await ourRequests({ ...context, target, next }, options)
    return done({ ...runner.result(), reason: remarks.text() })
  },
}

/** Requests of our own contract that its schemas do not lead to. */
async function ourRequests(context: OurContext, { operations: wanted }: RunOptions): Promise<void> {
  const { target, contract, traffic, put } = context
  const isWanted = (id: string): boolean => wanted === undefined || wanted.includes(id)
  for (const operation of contract.operations)
    if (isWanted(operation.id) && operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
      await replays(context, operation)
  if (!target.sandbox) return
  for (const request of sandboxRequests({ ...context, request: traffic.toRequest }))
    if (isWanted(request.operation.id)) await put(request)
}

/** The same for any contract, whatever its subject. */
export const declaredOfAnyContract: ContractPart = {
  ...NAME,
  async run(target, options) {
    const { done } = beginPart('declared', options.seed)
    const contract = readContract(target.contract)
    const remarks = createRemarks()
    const { credentials, values } = target
    const hasValues = (id: string): boolean => Object.hasOwn(values.operations, id)
    const judging = { contract, credentials, refusals: values.refusals, hasValues, remark: remarks.remark }
    const runner = createCaseRunner<DeclaredCase>({
      url: target.url,
      hide: target.hide,
      judge: (request, reply) => judgeReply(judging, request, reply),
      mayClose: () => false,
    })
    const traffic = createTraffic(target, contract, numbersFrom(Date.now() + options.seed * NUMBERS_PER_SEED))
    await survey({ target, contract, traffic, ...runner, ...remarks }, options)
    return done({ ...runner.result(), reason: remarks.text() })
  },
}

import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { present, type RunOptions, type Target } from '../../harness/part.ts'
import { wireRequest, type WireReply } from '../../harness/proxy.ts'
import { toRequest, type DeclaredCase, type Draft, type Expectation } from './declared-case.ts'
import { createCaseRunner, type CaseRunner } from './case-runner.ts'
import { deviations } from './deviations.ts'
import { fieldsOf } from '../../harness/json.ts'
import { valuesFor, required, type SurveyContext } from './survey-context.ts'
import { knownFrom, makerOf, type KnownValues } from './known.ts'
import { replays } from './replays.ts'
import { sandboxRequests } from './sandbox.ts'
import { freshened } from './values.ts'

/** References of one seed have a range of their own. Not a round number: phone numbers use the last digits. */
const REFERENCES_PER_SEED = 9_973
const SEEDS = 10_000
/** A third party's server keeps its references for ever: the start is most likely in no earlier run's range. */
const REFERENCES = 90_000_000
/** So many requests of one operation may use up their resource. */
const THINGS = 90

/** Refused for the customer's balance; no answer at all (docs, page "Test numbers"). */
const OUTCOMES = ['002', '006']
/** Longer than a simulated operator takes, shorter than the next poll. */
const OUTCOME_MS = 5_000

interface Survey {
  run(): Promise<void>
  result: CaseRunner['result']
}

/** All requests, operation after operation. */
export function createSurvey(
  target: Target,
  contract: Contract,
  { seed, log, operations: wanted }: RunOptions,
): Survey {
  const runner = createCaseRunner(target, contract)
  const operations = contract.operations.filter(({ kind }) => kind === 'operation')
  const keyOf: Readonly<Record<string, string>> = { 'public-key': target.publicKey, 'secret-key': target.secretKey }
  const start = target.own ? (seed % SEEDS) * REFERENCES_PER_SEED : Date.now() % REFERENCES
  let counter = 0
  const fresh = (): number => start + counter++
  const context: SurveyContext = { target, contract, operations, keyOf, fresh, runner }
  return {
    result: runner.result,
    async run() {
      // The resources of a request must exist first.
      const isWanted = (id: string): boolean => wanted === undefined || wanted.includes(id)
      for (const operation of operations
        .filter(({ id }) => isWanted(id))
        .toSorted((one, other) => Number(other.body !== undefined) - Number(one.body !== undefined))) {
        log(`declared: ${operation.id}`)
        await survey(context, operation)
      }
      if (!wanted) await runner.put(unknownRoute(present(operations[0], 'operation')))
      if (!target.sandbox) return
      for (const request of sandboxRequests({ operations, keyOf, fresh }))
        if (isWanted(request.operation.id)) await runner.put(request)
      if (isWanted('verifyTransaction')) await outcomes(context)
    },
  }
}

async function survey(context: SurveyContext, operation: Operation): Promise<void> {
  const { target, runner } = context
  const given = valuesFor(context, operation, target.sandbox ? await thingsFor(context, operation) : [])
  const { parameters, keys, bodies, success } = given
  const optional = operation.parameters.filter(({ required }) => required !== true).map(({ name }) => name)
  const draft: Draft = {
    keys,
    parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !optional.includes(name))),
  }
  // An unknown account may lack what the examples name.
  const expect: Expectation = { statuses: [success], ...(!target.sandbox && { orAsShown: true }) }
  if (bodies.length === 0)
    await runner.put({ operation, rule: 'the example of the contract', expect, request: toRequest(operation, draft) })
  for (const [index, make] of bodies.entries()) {
    const testCase = {
      operation,
      rule: `the example ${operation.body?.examples[index]?.name}`,
      expect,
      request: toRequest(operation, { ...draft, body: make() }),
    }
    await followLinks(context, operation, await runner.put(testCase))
  }
  for (const request of deviations(given)) await runner.put(request)
  if (parameters['Idempotency-Key'] !== undefined) await replays(context, operation, given, draft)
}

/** Existing resources from which the contract's links lead: collections that wait for their OTP. */
async function thingsFor(context: SurveyContext, operation: Operation): Promise<readonly KnownValues[]> {
  const maker = makerOf(context.contract, operation)
  if (!maker?.body?.examples[0]) return []
  const things: KnownValues[] = []
  // Numbers that end in 005 require one (docs, page "Test numbers").
  for (let made = 0; made < (operation.body ? THINGS : 1); made++)
    things.push(await make(context, maker, '005', 'a collection that asks for a one-time password'))
  await context.target.own?.advance(0)
  return things
}

/** The first example, from a number with this ending. */
async function make(context: SurveyContext, operation: Operation, ending: string, rule: string): Promise<KnownValues> {
  const body = { ...fieldsOf(freshened(operation.body?.examples[0]?.value, context.fresh)) }
  const { msisdn } = body
  const made = typeof msisdn === 'string' ? { ...body, msisdn: `${msisdn.slice(0, -3)}${ending}` } : body
  return knownFrom((await requestFor(context, operation, [], rule, 202, made))?.body)
}

/** Sends the required inputs only, about existing resources. */
function requestFor(
  context: SurveyContext,
  operation: Operation,
  things: readonly KnownValues[],
  rule: string,
  status: number,
  body?: unknown,
): Promise<WireReply | undefined> {
  const { keys, parameters } = valuesFor(context, operation, things)
  const request = toRequest(operation, { keys, parameters: required(operation, parameters), body })
  return context.runner.put({ operation, rule, expect: { statuses: [status] }, request })
}

async function followLinks(context: SurveyContext, operation: Operation, reply: WireReply | undefined): Promise<void> {
  const { operations } = context
  const { links = [] } = operation.responses.find(({ status }) => status === String(reply?.status)) ?? {}
  const known = knownFrom(reply?.body)
  for (const { name, link } of links) {
    const linked = operations.find(({ id }) => id === link.operationId)
    if (!linked || linked.body) continue
    await requestFor(context, linked, [known], `the link ${name} of ${operation.id}`, 200)
  }
}

/**
 * Collections that fail, and that stay without an answer, as the examples show them; on a clock of ours, to their end.
 */
async function outcomes(context: SurveyContext): Promise<void> {
  const { target, operations } = context
  const collect = operations.find(({ id }) => id === 'initializeCollection')
  const verify = operations.find(({ id }) => id === 'verifyTransaction')
  if (!collect?.body?.examples[0] || !verify) return
  const made: KnownValues[] = []
  for (const ending of OUTCOMES)
    made.push(await make(context, collect, ending, `a collection from a number that ends in ${ending}`))
  await target.own?.advance(0)
  await target.own?.advance(OUTCOME_MS)
  for (const known of made) await requestFor(context, verify, [known], 'a collection that was made before', 200)
}

const unknownRoute = (operation: Operation): DeclaredCase => ({
  operation,
  rule: 'a request to a path that the contract does not know',
  expect: { statuses: [404] },
  request: wireRequest('GET', '/there/is/no/such/path', { 'x-api-version': '1' }),
})

import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { present, type RunOptions, type Target } from '../../harness/part.ts'
import { wireRequest, type WireReply } from '../../harness/proxy.ts'
import { toRequest, type DeclaredCase, type Draft, type Expectation } from './ask.ts'
import { createAsker, type CaseRunner } from './asker.ts'
import { deviations } from './deviations.ts'
import { fieldsOf } from '../../harness/json.ts'
import { givenFor, required, type Inquiry } from './inquiry.ts'
import { knownFrom, makerOf, type KnownValues } from './known.ts'
import { replays } from './replays.ts'
import { sandboxRequests } from './sandbox.ts'
import { freshened } from './values.ts'

/** References of one seed lie in a range of their own. No round number: phone numbers are made of the last digits. */
const REFERENCES_PER_SEED = 9_973
const SEEDS = 10_000
/** A server of somebody else keeps its references for ever: a run starts where most likely no other was. */
const REFERENCES = 90_000_000
/** So many requests of one operation may use up the thing they are about. */
const THINGS = 90

/** Refused by the customer's balance; without any answer (docs, page "Test numbers"). */
const OUTCOMES = ['002', '006']
/** Longer than a simulated operator takes, shorter than it takes to ask again. */
const OUTCOME_MS = 5_000

export interface Survey {
  run(): Promise<void>
  result: CaseRunner['result']
}

/** All requests, operation after operation. */
export function createSurvey(
  target: Target,
  contract: Contract,
  { seed, log, operations: wanted }: RunOptions,
): Survey {
  const asker = createAsker(target, contract)
  const operations = contract.operations.filter(({ kind }) => kind === 'operation')
  const keyOf: Readonly<Record<string, string>> = { 'public-key': target.publicKey, 'secret-key': target.secretKey }
  const start = target.own ? (seed % SEEDS) * REFERENCES_PER_SEED : Date.now() % REFERENCES
  let counter = 0
  const fresh = (): number => start + counter++
  const inquiry: Inquiry = { target, contract, operations, keyOf, fresh, asker }
  return {
    result: asker.result,
    async run() {
      // What is asked about must exist first.
      const isWanted = (id: string): boolean => wanted === undefined || wanted.includes(id)
      for (const operation of operations
        .filter(({ id }) => isWanted(id))
        .toSorted((one, other) => Number(other.body !== undefined) - Number(one.body !== undefined))) {
        log(`declared: ${operation.id}`)
        await survey(inquiry, operation)
      }
      if (!wanted) await asker.put(unknownRoute(present(operations[0], 'operation')))
      if (!target.sandbox) return
      for (const request of sandboxRequests({ operations, keyOf, fresh }))
        if (isWanted(request.operation.id)) await asker.put(request)
      if (isWanted('verifyTransaction')) await outcomes(inquiry)
    },
  }
}

async function survey(inquiry: Inquiry, operation: Operation): Promise<void> {
  const { target, asker } = inquiry
  const given = givenFor(inquiry, operation, target.sandbox ? await thingsFor(inquiry, operation) : [])
  const { parameters, keys, bodies, success } = given
  const optional = operation.parameters.filter(({ required }) => required !== true).map(({ name }) => name)
  const draft: Draft = {
    keys,
    parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !optional.includes(name))),
  }
  // An account that we do not know may not have what the examples name.
  const expect: Expectation = { statuses: [success], ...(!target.sandbox && { orAsShown: true }) }
  if (bodies.length === 0)
    await asker.put({ operation, rule: 'the example of the contract', expect, request: toRequest(operation, draft) })
  for (const [index, make] of bodies.entries()) {
    const testCase = {
      operation,
      rule: `the example ${operation.body?.examples[index]?.name}`,
      expect,
      request: toRequest(operation, { ...draft, body: make() }),
    }
    await followLinks(inquiry, operation, await asker.put(testCase))
  }
  for (const ask of deviations(given)) await asker.put(ask)
  if (parameters['Idempotency-Key'] !== undefined) await replays(inquiry, operation, given, draft)
}

/** Things that exist, and that the contract's links lead from: collections that wait for their password. */
async function thingsFor(inquiry: Inquiry, operation: Operation): Promise<readonly KnownValues[]> {
  const maker = makerOf(inquiry.contract, operation)
  if (!maker?.body?.examples[0]) return []
  const things: KnownValues[] = []
  // Numbers that end in 005 are asked for one (docs, page "Test numbers").
  for (let made = 0; made < (operation.body ? THINGS : 1); made++)
    things.push(await make(inquiry, maker, '005', 'a collection that asks for a one-time password'))
  await inquiry.target.own?.advance(0)
  return things
}

/** The first example, from a number that ends so. */
async function make(inquiry: Inquiry, operation: Operation, ending: string, rule: string): Promise<KnownValues> {
  const body = { ...fieldsOf(freshened(operation.body?.examples[0]?.value, inquiry.fresh)) }
  const { msisdn } = body
  const made = typeof msisdn === 'string' ? { ...body, msisdn: `${msisdn.slice(0, -3)}${ending}` } : body
  return knownFrom((await requestFor(inquiry, operation, [], rule, 202, made))?.body)
}

/** Asks with what must be given, about things that exist. */
function requestFor(
  inquiry: Inquiry,
  operation: Operation,
  things: readonly KnownValues[],
  rule: string,
  status: number,
  body?: unknown,
): Promise<WireReply | undefined> {
  const { keys, parameters } = givenFor(inquiry, operation, things)
  const request = toRequest(operation, { keys, parameters: required(operation, parameters), body })
  return inquiry.asker.put({ operation, rule, expect: { statuses: [status] }, request })
}

async function followLinks(inquiry: Inquiry, operation: Operation, reply: WireReply | undefined): Promise<void> {
  const { operations } = inquiry
  const { links = [] } = operation.responses.find(({ status }) => status === String(reply?.status)) ?? {}
  const known = knownFrom(reply?.body)
  for (const { name, link } of links) {
    const linked = operations.find(({ id }) => id === link.operationId)
    if (!linked || linked.body) continue
    await requestFor(inquiry, linked, [known], `the link ${name} of ${operation.id}`, 200)
  }
}

/** Collections that fail, and that nobody answers, as the examples show them; with a clock of ours, to their end. */
async function outcomes(inquiry: Inquiry): Promise<void> {
  const { target, operations } = inquiry
  const collect = operations.find(({ id }) => id === 'initializeCollection')
  const verify = operations.find(({ id }) => id === 'verifyTransaction')
  if (!collect?.body?.examples[0] || !verify) return
  const made: KnownValues[] = []
  for (const ending of OUTCOMES)
    made.push(await make(inquiry, collect, ending, `a collection from a number that ends in ${ending}`))
  await target.own?.advance(0)
  await target.own?.advance(OUTCOME_MS)
  for (const known of made) await requestFor(inquiry, verify, [known], 'a collection that was made before', 200)
}

const unknownRoute = (operation: Operation): DeclaredCase => ({
  operation,
  rule: 'a request to a path that the contract does not know',
  expect: { statuses: [404] },
  request: wireRequest('GET', '/there/is/no/such/path', { 'x-api-version': '1' }),
})

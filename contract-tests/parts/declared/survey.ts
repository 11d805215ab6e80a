import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { present, type RunOptions, type Target } from '../../harness/part.ts'
import type { WireReply } from '../../harness/proxy.ts'
import { toRequest, type Ask, type Draft, type Expectation } from './ask.ts'
import { createAsker, type Asker } from './asker.ts'
import { deviations, type Given } from './deviations.ts'
import { changed, fieldsOf } from './fields.ts'
import { knownFrom, makerOf, type Known } from './known.ts'
import { NUMBER_OF_ANOTHER_OPERATOR, sandboxAsks, UNKNOWN_REFERENCE } from './sandbox.ts'
import { freshened } from './values.ts'

/** References of one seed lie in a range of their own. No round number: phone numbers are made of the last digits. */
const REFERENCES_PER_SEED = 9_973
const SEEDS = 10_000
/** A server of somebody else keeps its references for ever: a run starts where most likely no other was. */
const REFERENCES = 90_000_000
/** So many requests of one operation may use up the thing they are about. */
const THINGS = 90

const WRONG_PASSWORD = 654_321
/** Refused by the customer's balance; without any answer (docs, page "Test numbers"). */
const OUTCOMES = ['002', '006']
/** Longer than a simulated operator takes, shorter than it takes to ask again. */
const OUTCOME_MS = 5_000
export interface Survey {
  run(): Promise<void>
  result: Asker['result']
}

/** All requests, operation after operation. */
export function createSurvey(target: Target, contract: Contract, { seed, log }: RunOptions): Survey {
  const { put, note, result } = createAsker(target, contract)
  const operations = contract.operations.filter(({ kind }) => kind === 'operation')
  const keyOf: Readonly<Record<string, string>> = { 'public-key': target.publicKey, 'secret-key': target.secretKey }
  const start = target.own ? (seed % SEEDS) * REFERENCES_PER_SEED : Date.now() % REFERENCES
  let counter = 0
  const fresh = (): number => start + counter++

  function givenFor(operation: Operation, things: readonly Known[]): Given {
    const { parameters, keys, body, path } = operation
    let used = 0
    const thing = (): Known => things[Math.min(used++, things.length - 1)] ?? {}
    return {
      contract,
      operation,
      keys: Object.fromEntries(keys.map(({ header }) => [header, keyOf[header] ?? ''])),
      parameters: Object.fromEntries(
        parameters.map(({ name, example, schema }): [string, string] => {
          const shown: unknown = example ?? contract.flat(schema).examples?.[0] ?? ''
          return [name, things[0]?.[name] ?? String(shown)]
        }),
      ),
      bodies: (body?.examples ?? []).map(
        ({ value }) =>
          () =>
            aboutThing(freshened(value, fresh), thing),
      ),
      methods: operations.filter((each) => each.path === path).map(({ method }) => method),
      success: Number(operation.responses.find(({ status }) => status.startsWith('2'))?.status ?? 200),
    }
  }

  async function survey(operation: Operation): Promise<void> {
    const given = givenFor(operation, target.sandbox ? await thingsFor(operation) : [])
    const { parameters, keys, bodies, success } = given
    const optional = operation.parameters.filter(({ required }) => required !== true).map(({ name }) => name)
    const draft: Draft = {
      keys,
      parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !optional.includes(name))),
    }
    // An account that we do not know may not have what the examples name.
    const expect: Expectation = { statuses: [success], ...(!target.sandbox && { orAsShown: true }) }
    if (bodies.length === 0)
      await put({ operation, rule: 'the example of the contract', expect, request: toRequest(operation, draft) })
    for (const [index, make] of bodies.entries()) {
      const ask = {
        operation,
        rule: `the example ${operation.body?.examples[index]?.name}`,
        expect,
        request: toRequest(operation, { ...draft, body: make() }),
      }
      await followLinks(operation, await put(ask))
    }
    for (const ask of deviations(given)) await put(ask)
    if (parameters['Idempotency-Key'] !== undefined) await replays(operation, given, draft)
  }

  /**
   * Things that exist, and that the links of the contract lead from: collections that wait for their one-time password.
   */
  async function thingsFor(operation: Operation): Promise<readonly Known[]> {
    const maker = makerOf(contract, operation)
    const example = maker?.body?.examples[0]
    if (!maker || !example) return []
    const things: Known[] = []
    const { keys, parameters } = givenFor(maker, [])
    for (let made = 0; made < (operation.body ? THINGS : 1); made++) {
      const body = { ...fieldsOf(freshened(example.value, fresh)) }
      // Numbers that end in 005 are asked for one (docs, page "Test numbers").
      const { msisdn } = body
      const ask = {
        operation: maker,
        rule: 'a collection that asks for a one-time password',
        expect: { statuses: [202] },
        request: toRequest(maker, {
          keys,
          parameters: required(maker, parameters),
          body: typeof msisdn === 'string' ? { ...body, msisdn: `${msisdn.slice(0, -3)}005` } : body,
        }),
      }
      things.push(knownFrom((await put(ask))?.body))
    }
    await target.own?.advance(0)
    return things
  }

  async function followLinks(operation: Operation, reply: WireReply | undefined): Promise<void> {
    const { links = [] } = operation.responses.find(({ status }) => status === String(reply?.status)) ?? {}
    const known = knownFrom(reply?.body)
    for (const { name, link } of links) {
      const linked = operations.find(({ id }) => id === link.operationId)
      if (!linked || linked.body) continue
      const { keys, parameters } = givenFor(linked, [known])
      await put({
        operation: linked,
        rule: `the link ${name} of ${operation.id}`,
        expect: { statuses: [200] },
        request: toRequest(linked, { keys, parameters: required(linked, parameters) }),
      })
    }
  }

  async function replays(operation: Operation, { bodies, success }: Given, draft: Draft): Promise<void> {
    const [make, makeOther] = [bodies[0], bodies.at(-1)]
    if (!make || !makeOther) return
    const keyed = (body: unknown): Ask['request'] =>
      toRequest(operation, {
        ...draft,
        parameters: { ...draft.parameters, 'Idempotency-Key': `declared-${fresh()}` },
        body,
      })
    const accepted: Expectation = { statuses: [success], orAsShown: true }
    const first = make()
    const request = keyed(first)
    await twice(operation, request, accepted)
    const other = { ...toRequest(operation, { ...draft, body: makeOther() }), headers: request.headers }
    if (!other.body.equals(request.body))
      await put({
        operation,
        rule: 'another request with an Idempotency-Key that was used',
        expect: { statuses: [409] },
        request: other,
      })
    if (!target.sandbox) return
    // Refused by a rule of the business: nothing was carried out, so the key is free. A wrong password has used up a
    // try, so that refusal is kept.
    const acceptable = make()
    const refused = refusedBodies(first, acceptable).map(({ body, ...rest }) => ({ ...rest, request: keyed(body) }))
    for (const { request: again, status, isKept } of refused)
      await twice(operation, again, { statuses: [status] }, isKept)
    const {
      request: { headers },
    } = present(refused[0], 'refused request')
    await put({
      operation,
      rule: 'a corrected request with the Idempotency-Key of a refused one',
      expect: { statuses: [success], replayed: false },
      request: { ...keyed(acceptable), headers },
    })
  }

  async function twice(
    operation: Operation,
    request: Ask['request'],
    expect: Expectation,
    replayed = true,
  ): Promise<void> {
    const one = await put({ operation, rule: 'a request with an Idempotency-Key', expect, request })
    const again: Ask = {
      operation,
      rule: 'the same request with the same Idempotency-Key',
      expect: { ...expect, replayed },
      request,
    }
    const two = await put(again)
    if (one && two && !one.body.equals(two.body))
      note('replay', again, 'the same request with the same Idempotency-Key was answered otherwise than the first')
  }

  return {
    result,
    async run() {
      // What is asked about must exist first.
      for (const operation of operations.toSorted(
        (one, other) => Number(other.body !== undefined) - Number(one.body !== undefined),
      )) {
        log(`declared: ${operation.id}`)
        await survey(operation)
      }
      await put(unknownRoute(present(operations[0], 'operation')))
      if (!target.sandbox) return
      for (const ask of sandboxAsks({ operations, keyOf, fresh })) await put(ask)
      await outcomes()
    },
  }

  /**
   * Collections that fail, and that nobody answers, as the examples show them; where the clock is ours, to their end.
   */
  async function outcomes(): Promise<void> {
    const collect = operations.find(({ id }) => id === 'initializeCollection')
    const verify = operations.find(({ id }) => id === 'verifyTransaction')
    const example = collect?.body?.examples[0]
    if (!collect || !verify || !example) return
    const made: Known[] = []
    for (const ending of OUTCOMES) {
      const { keys, parameters } = givenFor(collect, [])
      const body = fieldsOf(freshened(example.value, fresh))
      const ask = {
        operation: collect,
        rule: `a collection from a number that ends in ${ending}`,
        expect: { statuses: [202] },
        request: toRequest(collect, {
          keys,
          parameters: required(collect, parameters),
          body: { ...body, msisdn: `${String(body['msisdn']).slice(0, -3)}${ending}` },
        }),
      }
      made.push(knownFrom((await put(ask))?.body))
    }
    await target.own?.advance(0)
    await target.own?.advance(OUTCOME_MS)
    for (const known of made) {
      const { keys, parameters } = givenFor(verify, [known])
      await put({
        operation: verify,
        rule: 'a collection that was made before',
        expect: { statuses: [200] },
        request: toRequest(verify, { keys, parameters: required(verify, parameters) }),
      })
    }
  }
}

/** What a rule of the business refuses, made of a body that was accepted before and one that would be. */
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

const required = ({ parameters }: Operation, values: Known): Known =>
  Object.fromEntries(
    parameters
      .filter(({ required }) => required === true)
      .map(({ name }) => [name, present(values[name], `value for ${name}`)]),
  )

/** A body about something that exists already names it; others name what they make. */
const aboutThing = (body: unknown, thing: () => Known): unknown =>
  'internal_reference' in fieldsOf(body) ? { ...fieldsOf(body), ...pick(thing(), 'internal_reference') } : body
const pick = (known: Known, name: string): Known => (known[name] === undefined ? {} : { [name]: known[name] })

const unknownRoute = (operation: Operation): Ask => ({
  operation,
  rule: 'a request to a path that the contract does not know',
  expect: { statuses: [404] },
  request: {
    method: 'GET',
    path: '/there/is/no/such/path',
    headers: { 'x-api-version': ['1'] },
    body: Buffer.alloc(0),
  },
})

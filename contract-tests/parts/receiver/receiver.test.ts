import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_MERCHANT } from '../../../server/testing/gateway.ts'
import { createTestDatabase, type TestDatabase } from '../../../server/testing/database.ts'
import { freePort } from '../../../server/testing/served-gateway.ts'
import { startOwnGateway, type RunningOwnGateway } from '../../harness/own-gateway.ts'
import type { PartResult, Target } from '../../harness/part.ts'
import { startProxy, type Proxy, type ProxyOptions } from '../../harness/proxy.ts'
import { runScenarios } from './receiver.ts'
import { OK, redirectTo, retryAfter, status, type Reply } from './replies.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { senderFaults, sendTo, servesOwnKey } from './sender-faults.ts'

const { signingKey, webhookSecret } = DEMO_MERCHANT.keys
const quietly = { seed: 1, size: 'pull-request', log: () => undefined } as const

let database: TestDatabase
let gateway: RunningOwnGateway
let receiverPort: number
let toMerchant: Pick<ProxyOptions, 'onRequest' | 'onReply'> = {}
let toGateway: Pick<ProxyOptions, 'onRequest' | 'onReply'> = {}
const proxies: Proxy[] = []
let target: Target

/** A proxy whose hooks change with each test. */
async function startChangingProxy(
  to: string,
  hooks: () => Pick<ProxyOptions, 'onRequest' | 'onReply'>,
): Promise<Proxy> {
  const proxy = await startProxy({
    to,
    onRequest: (request) => hooks().onRequest?.(request) ?? request,
    onReply: (reply, request) => hooks().onReply?.(reply, request) ?? reply,
  })
  proxies.push(proxy)
  return proxy
}

beforeAll(async () => {
  database = await createTestDatabase()
  receiverPort = await freePort()
  const merchant = await startChangingProxy(`http://127.0.0.1:${receiverPort}`, () => toMerchant)
  gateway = await startOwnGateway({ connection: database.connection, receiverPort: Number(new URL(merchant.url).port) })
  const api = await startChangingProxy(gateway.url, () => toGateway)
  target = { ...gateway, url: api.url, receiver: { port: receiverPort, signingKey, webhookSecret } }
})
afterAll(async () => {
  await gateway?.close()
  for (const proxy of proxies) await proxy.close()
  await database?.drop()
})

// That our gateway sends what its contract declares is shown by the whole suite: pull-request.test.ts.

describe('a sender that is wrong is reported once for each wrong thing, and for nothing else:', () => {
  const all = scenarios({ seed: 7, size: 'pull-request', canWait: true, run: 1 })
  const named = (name: string): Scenario => all.find((scenario) => scenario.name === name)!
  const answered = (name: string, ...callbacks: readonly Reply[]): Scenario => ({
    ...named('collection 001'),
    name,
    callbacks,
  })
  const special = [
    answered('retried', status(500), OK),
    answered('redirected', redirectTo(301), OK),
    answered('answered 204', status(204), OK),
    answered('answered 410', status(410), OK),
    answered('asked to wait', retryAfter(503, 60), OK),
  ]
  const play = (names: readonly string[], seed: number): Promise<PartResult> =>
    runScenarios(target, { ...quietly, seed }, () =>
      names.map((name) => special.find((scenario) => scenario.name === name) ?? named(name)),
    )

  const faults = senderFaults({ signingKey, webhookSecret })
  test.each(faults.map((fault, index) => [fault.name, fault, index] as const))('%s', async (_name, fault, index) => {
    toMerchant = fault.toMerchant?.(sendTo(receiverPort)) ?? {}
    const hooks = fault.toGateway?.() ?? {}
    toGateway = {
      ...hooks,
      onRequest: async (request) => servesOwnKey(request) ?? hooks.onRequest?.(request) ?? request,
    }
    const { findings } = await play(fault.scenarios, 1_000 + index)
    expect(findings.map(({ about }) => about).sort()).toEqual(fault.found.map(([about]) => about).sort())
    for (const [about, what] of fault.found)
      expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
  })
})

import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PartResult, Target } from '../../harness/part.ts'
import type { ProxyOptions } from '../../harness/proxy.ts'
import { recheckFindings } from '../../harness/recheck.ts'
import { receiverPart, runScenarios } from './receiver.ts'
import { OK, redirectTo, retryAfter, status, type ReceiverReply } from '../../driver/merchant-replies.ts'
import type { FaultContext } from '../../strength/faults/fault.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { rulesAround } from '../../rules/around.ts'
import { worldAround } from '../../strength/faults/world.ts'

const quietly = { seed: 1, size: 'pull-request', log: () => undefined } as const

let toMerchant: Pick<ProxyOptions, 'onRequest' | 'onReply'> = {}
let toGateway: Pick<ProxyOptions, 'onRequest' | 'onReply'> = {}

const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => toMerchant)
const { gateway } = await ownGatewayTest({ receiverPort: Number(new URL(merchant.url).port) })
const api = await changingProxyTest(gateway.url, () => toGateway)
const world: FaultContext = worldAround(() => gateway.url, receiverPort)
const { signingKey, webhookSecret } = world
const target: Target = { ...gateway, url: api.url, receiver: { port: receiverPort, signingKey, webhookSecret } }

const COLLECTION = ['collection 001']
const FAILING = ['collection 004']
const RETRIED = ['retried']
const PAYOUT = ['payout 001']
const HOSTED = ['collection on the page 001']
const HOSTED_FAILING = ['collection on the page 004']

/** Faults of the catalogue, the scenarios that show them, and the exact findings: subject, and a part of the text. */
const FOUND: readonly (readonly [fault: string, scenarios: readonly string[], ...found: readonly string[]])[] = [
  ['hmac-missing', COLLECTION, 'collectionCallback: header hmac-signature is missing'],
  ['webhook-id-missing', COLLECTION, 'collectionCallback: header webhook-id is missing'],
  [
    'hmac-time-in-seconds',
    COLLECTION,
    'collectionCallback: header hmac-signature must NOT have fewer than 82 characters',
  ],
  ['put-instead-of-post', COLLECTION, 'collectionCallback: PUT came, the contract declares POST'],
  ['form-media-type', COLLECTION, 'collectionCallback: content-type is application/x-www-form-urlencoded'],
  // Bodies
  [
    'event-completed-for-failed',
    FAILING,
    'collectionCallback: payload.transaction_status must be COMPLETED, is "FAILED"',
  ],
  ['field-added', COLLECTION, 'collectionCallback: payload.attempt is not declared'],
  ['field-missing', COLLECTION, 'collectionCallback: payload.status_message is missing'],
  ['body-no-json', PAYOUT, 'payoutCallback: the body is not JSON'],
  [
    'collection-at-payout-url',
    COLLECTION,
    'payoutCallback: a valid collectionCallback came to the URL of payoutCallback',
  ],
  [
    'redirect-followed',
    ['redirected'],
    'retries: a redirect was followed',
    'retries: callback 2 after HTTP 301 did not come',
  ],
  ['never-sent', COLLECTION, 'retries: callback of COMPLETED did not come'],
  [
    'url-of-nobody',
    COLLECTION,
    "retries: came to a URL that is not the merchant's",
    'retries: callback of COMPLETED did not come',
  ],
  ['failure-reported-as-well', COLLECTION, 'outcome: callbacks of COMPLETED and FAILED came, expected COMPLETED'],
  // Attempts
  ['not-retried', RETRIED, 'retries: callback 2 after HTTP 500 did not come'],
  ['retried-at-once', RETRIED, 'retries: callback 2 came 0 s after HTTP 500, too early'],
  ['sent-twice', COLLECTION, 'retries: a callback came again after HTTP 200'],
  ['no-content-not-taken', ['answered 204'], 'retries: a callback came again after HTTP 204'],
  ['gone-retried', ['answered 410'], 'retries: a callback came again after HTTP 410'],
  ['retry-after-ignored', ['asked to wait'], 'retries: after HTTP 503 with Retry-After: 60, too early'],
  ['webhook-time-not-renewed', RETRIED, 'webhook-timestamp: a retry carries the time of the attempt before'],
  // States
  ['reported-before-final', COLLECTION, 'verify: a callback came while verify said PROCESSING'],
  ['reported-before-final', PAYOUT, 'handshake: a handshake came while verify said PROCESSING'],
  ['outcome-ignored', FAILING, 'outcome: documented is FAILED "The customer declined the request"'],
  ['accepted-201', COLLECTION, 'initializeCollection: HTTP 201 instead of 202'],
  // Handshakes
  ['reference-missing', PAYOUT, 'payoutHandshake: query parameter reference is missing'],
  ['handshake-by-post', PAYOUT, 'payoutHandshake: POST came, the contract declares GET'],
  ['handshake-with-body', PAYOUT, 'payoutHandshake: a body of 2 bytes came, the contract declares none'],
  ['never-asked', PAYOUT, 'retries: handshake did not come'],
  ['asked-twice', PAYOUT, 'retries: a handshake came again after HTTP 200'],
  [
    'rejection-ignored',
    ['payout with a handshake answered 404'],
    'handshake: the payout completed although the merchant did not confirm it',
    'outcome: documented is FAILED "Payout rejected by the merchant\'s verification URL (HTTP 404)"',
  ],
  // Redirects
  ['redirect-without-rsa', HOSTED, 'customerRedirect: query parameter rsa_signature is missing'],
  ['redirect-rsa-not-encoded', HOSTED, 'customerRedirect: query parameter rsa_signature'],
  ['no-redirect', HOSTED, 'customerRedirect: the page of a final payment leads nowhere'],
]

/** Faults that no part sees, and the words of the rule that finds them in the recorded traffic. */
const FOUND_BY_RULES: readonly (readonly [fault: string, scenarios: readonly string[], what: string])[] = [
  // Signatures and ids
  ['hmac-missing', COLLECTION, 'a callback has no hmac-signature, which the contract requires'],
  ['hmac-wrong-key', PAYOUT, "is not made with the merchant's signing key"],
  ['rsa-wrong', COLLECTION, 'does not verify with the key'],
  ['rsa-key-unknown', COLLECTION, 'names the RSA key 0123456789abcdef, and none is served'],
  ['webhook-secret-as-text', COLLECTION, "is not made with the merchant's webhook secret"],
  ['webhook-body-spaced', COLLECTION, 'that of the same JSON written in another way'],
  ['webhook-time-old', COLLECTION, 's old when it comes, and merchants refuse more than 300 s'],
  ['webhook-id-per-attempt', RETRIED, 'a retry keeps the first one'],
  ['body-changes-at-retry', RETRIED, 'came again with another body'],
  ['webhook-id-constant', [...COLLECTION, ...FAILING], 'names two messages'],
  ['handshake-signature-wrong', PAYOUT, 'webhook-signature of a handshake'],
  ['redirect-hmac-wrong', HOSTED, 'the HMAC signature of a redirect'],
  ['redirect-own-query-lost', HOSTED, 'does not keep the query of the redirect_url'],
  // Messages that contradict each other
  ['amount-differs-from-verify', COLLECTION, 'transaction_charge of'],
  ['final-state-flips', RETRIED, 'is FAILED in verify, and was COMPLETED in verify before'],
  ['another-customer-asked', COLLECTION, 'is "256770000123" in verify, and'],
  ['failure-code-of-completed', COLLECTION, 'has the failure_code "operator_error": only what failed'],
  [
    'failure-code-of-another',
    FAILING,
    'failure_code of "The customer declined the request" is "operator_error", not declined',
  ],
  ['redirect-status-unsigned', HOSTED, 'is CANCELLED in a redirect, and was COMPLETED in verify before'],
  ['redirect-status-wrong', HOSTED_FAILING, 'COMPLETED in a redirect before: a status never goes back'],
  ['charge-of-failed', FAILING, 'FAILED, has a charge of 50: no money moved'],
  ['outcome-worded-differently', COLLECTION, '"Done" in verify: the record of a final state does not change'],
  ['charge-of-customer-too-high', HOSTED, 'transaction_charge of'],
]

// suite.pull-request.test.ts shows that our gateway sends what its contract declares.

describe('reports each defect of a wrong sender once, and nothing else:', () => {
  const all = scenarios({ seed: 7, size: 'pull-request', canWait: true, run: 1 })
  const named = (name: string): Scenario => all.find((scenario) => scenario.name === name)!
  const answered = (name: string, ...callbacks: readonly ReceiverReply[]): Scenario => ({
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
  /** As the suite does: a time-dependent finding has to recur. */
  const play = async (names: readonly string[], seed: number, played = target): Promise<PartResult> =>
    recheckFindings(
      await runScenarios(played, { ...quietly, seed }, () =>
        names.map((name) => special.find((scenario) => scenario.name === name) ?? named(name)),
      ),
    )

  const rows = FOUND.map(([name, names, ...found], index) => [name, names, found, index] as const)
  test.each(sampledByDefault('wrong senders', rows, 12))('%s', async (name, scenarios, reported, index) => {
    const found = reported.map((text) => /^([^:]+): (.*)$/.exec(text)!.slice(1) as [about: string, what: string])
    const { merchant = {}, api = {} } = faultNamed(name).plant(world)
    toMerchant = merchant
    toGateway = api
    const { findings } = await play(scenarios, 1_000 + index)
    expect(findings.map(({ about }) => about).sort()).toEqual(found.map(([about]) => about).sort())
    for (const [about, what] of found)
      expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
  })

  const byRules = FOUND_BY_RULES.map((row, index) => [...row, index] as const)
  test.each(sampledByDefault('wrong senders for the rules', byRules, 8))('%s, by the rules', async (...row) => {
    const [name, chosen, what, index] = row
    const { merchant = {}, api = {} } = faultNamed(name).plant(world)
    toMerchant = merchant
    toGateway = api
    const judged = await rulesAround(target)
    onTestFinished(() => judged.close())
    await judged.run(receiverPart, (recorded) => play(chosen, 2_000 + index, recorded))
    await judged.close()
    const { findings = [] } = judged.result() ?? {}
    expect(findings.map((finding) => finding.what)).toContainEqual(expect.stringContaining(what))
  })
})

import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../openapi/reading/contract.ts'
import { sampleCallbacks, signedCallback, signedHandshake, type CallbackKind } from './testing.ts'
import { rsaPair } from './testing/verdicts.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const { operations, faultIn } = readContract(bundleUrl)
const operation = (id: string) => operations.find((each) => each.id === id)!
/** `traceparent` is only present if a trace is kept. */
const alwaysSent = ({ parameters }: ReturnType<typeof operation>) => parameters.filter(({ required }) => required)
const { privateKey } = rsaPair()

test.each(Object.keys(sampleCallbacks) as CallbackKind[])(
  '%s is as in the contract, body and every header',
  async (kind) => {
    const { headers, body } = await signedCallback({
      secret,
      signingKey: 'SANDBOXDEMOSIGNKEY01',
      rsaPrivateKey: privateKey,
      kind,
    })
    const webhook = operation(kind.startsWith('collection') ? 'collectionCallback' : 'payoutCallback')
    expect(faultIn(webhook.body!.schema, JSON.parse(body))).toBe(undefined)
    const reported: Readonly<Record<string, string | undefined>> = headers
    for (const { name, schema } of alwaysSent(webhook)) expect(faultIn(schema, reported[name]), name).toBe(undefined)
  },
)

test('the handshake is as in the contract', async () => {
  const { url, headers } = await signedHandshake({ secret })
  const reported: Readonly<Record<string, string>> = {
    ...headers,
    reference: new URL(url).searchParams.get('reference')!,
  }
  for (const { name, schema } of alwaysSent(operation('payoutHandshake')))
    expect(faultIn(schema, reported[name]), name).toBe(undefined)
})

test('two messages have two ids unless one is given', async () => {
  const [one, two] = [await signedCallback({ secret }), await signedCallback({ secret })]
  expect(one.headers['webhook-id']).not.toBe(two.headers['webhook-id'])
})

test('omits the legacy signatures without their keys', async () => {
  expect(Object.keys((await signedCallback({ secret })).headers)).toEqual([
    'content-type',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
})

test('refuses an invalid private key by name', async () => {
  await expect(signedCallback({ secret, rsaPrivateKey: 'x' })).rejects.toThrow(/^rsaPrivateKey must be a PEM text/)
  await expect(signedCallback({ secret: 'x' })).rejects.toMatchObject({ reason: 'wrong_secret_format' })
})

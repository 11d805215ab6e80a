import { generateKeyPairSync } from 'node:crypto'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import contract from '../generated/openapi.json' with { type: 'json' }
import { sampleCallbacks, signedCallback, signedHandshake, type CallbackKind } from './testing.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'contract', ...contract })
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

const faultsOf = (schema: string, value: unknown) =>
  ajv.validate({ $ref: `contract#/components/schemas/${schema}` }, value) ? null : ajv.errorsText()

test.each(Object.keys(sampleCallbacks) as CallbackKind[])(
  '%s is what the contract says, body and every header',
  async (kind) => {
    const { headers, body } = await signedCallback({
      secret,
      signingKey: 'SANDBOXDEMOSIGNKEY01',
      rsaPrivateKey: privateKey,
      kind,
    })
    const webhook = kind.startsWith('collection') ? 'collectionCallback' : 'payoutCallback'
    expect(faultsOf(kind.startsWith('collection') ? 'CollectionCallback' : 'PayoutCallback', JSON.parse(body))).toBe(
      null,
    )
    const told: Readonly<Record<string, string | undefined>> = headers
    for (const { name, schema } of contract.webhooks[webhook].post.parameters) {
      expect(faultsOf(schema.$ref.replace('#/components/schemas/', ''), told[name]), name).toBe(null)
    }
  },
)

test('the handshake is what the contract says', async () => {
  const { url, headers } = await signedHandshake({ secret })
  const told: Readonly<Record<string, string>> = { ...headers, reference: new URL(url).searchParams.get('reference')! }
  for (const { name, schema } of contract.webhooks.payoutHandshake.get.parameters)
    expect(faultsOf(schema.$ref.replace('#/components/schemas/', ''), told[name]), name).toBe(null)
})

test('two messages have two ids unless one is asked for', async () => {
  const [one, two] = [await signedCallback({ secret }), await signedCallback({ secret })]
  expect(one.headers['webhook-id']).not.toBe(two.headers['webhook-id'])
})

test('without their keys the legacy signatures are left out', async () => {
  expect(Object.keys((await signedCallback({ secret })).headers)).toEqual([
    'content-type',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
})

test('a private key that is none is refused by name', async () => {
  await expect(signedCallback({ secret, rsaPrivateKey: 'x' })).rejects.toThrow(/^rsaPrivateKey must be a PEM text/)
  await expect(signedCallback({ secret: 'x' })).rejects.toMatchObject({ reason: 'wrong_secret_format' })
})

import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../storage/secret-box.ts'
import { rotateKey, type KeyKind } from '../../admin/queries/key-rotation.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { loadReferenceData, type LiveReferenceData } from '../../storage/reference-data.ts'
import { fixedClock, seededRandom, MASTER_KEY } from '../testing/gateway.ts'
import { createLegacySigner, signatureHeaders } from '../../callbacks/sign.ts'
import { databaseTest } from '../testing/database-test.ts'

// What a merchant's receiver sees while staff rotate keys: it was given the keys and the times at which they change
// over.

const HOUR_MS = 60 * 60_000
const TEXT = 'transaction.completed:ORDER-2026-0001:MLP0000000000000000000000:COLLECTION:COMPLETED'
const random = { bytes: (size: number) => randomBytes(size) }
const box = createSecretBox(MASTER_KEY, random)
const clock = fixedClock()

const { pool } = await databaseTest()

let reference: LiveReferenceData

interface SignedCallback {
  readonly id: bigint
  /** The signing keys in the order of their creation. */
  readonly signingKeys: string[]
}

async function newMerchant(name: string): Promise<SignedCallback> {
  const keys = newMerchantKeys(seededRandom(name))
  const id = await createMerchant(pool, box, { name, keys, sandboxOnly: false }, clock.now())
  reference = await loadReferenceData({ pool, box, clock, sandbox: true })
  return { id, signingKeys: [keys.signingKey] }
}

const rotate = (merchantId: bigint, kind: KeyKind, keepOldMs: number) =>
  rotateKey(pool, box, random, { merchantId, kind, keepOldMs }, clock.now())

async function rotateSigningKey(merchant: SignedCallback, keepOldMs: number): Promise<void> {
  merchant.signingKeys.push((await rotate(merchant.id, 'signing_key', keepOldMs)).secret)
  await reference.refresh()
}

const hmacWith = (key: string) => createHmac('sha256', key).update(TEXT).digest('hex')

/** Which of the merchant's keys signs a callback and a redirect now, by its position in that order. */
async function signers({ id, signingKeys }: SignedCallback): Promise<{ callback: number; redirect: number }> {
  const headers = await signatureHeaders({
    webhookId: 'cb_1',
    legacyText: TEXT,
    body: '{}',
    at: clock.now(),
    secrets: await reference.callbackSecrets(id),
    rsaKey: reference.rsaSigningKey(),
  })
  const { hmacSignature } = await createLegacySigner({ reference, realClock: clock }).sign(id, TEXT)
  const placeOf = (signature: string | undefined) =>
    signingKeys.findIndex((key) => signature?.endsWith(`,s=${hmacWith(key)}`))
  return { callback: placeOf(headers['hmac-signature']), redirect: placeOf(hmacSignature) }
}

const by = (place: number) => ({ callback: place, redirect: place })

test('of three signing keys the oldest valid one signs, then the next', async () => {
  const merchant = await newMerchant('Twice')
  await rotateSigningKey(merchant, 2 * HOUR_MS)
  clock.advance(HOUR_MS)
  await rotateSigningKey(merchant, 2 * HOUR_MS)
  expect(await signers(merchant)).toEqual(by(0))
  // Nothing has changed in the database, and nothing was read again: only the time decides.
  clock.advance(HOUR_MS - 1)
  expect(await signers(merchant)).toEqual(by(0))
  clock.advance(1)
  expect(await signers(merchant)).toEqual(by(1))
  clock.advance(HOUR_MS)
  expect(await signers(merchant)).toEqual(by(2))
})

test('a rotation never extends an older signing key, and may shorten it', async () => {
  const merchant = await newMerchant('Sooner')
  await rotateSigningKey(merchant, 3 * HOUR_MS)
  await rotateSigningKey(merchant, HOUR_MS)
  clock.advance(HOUR_MS)
  expect(await signers(merchant)).toEqual(by(2))
})

import { createHash, createPublicKey, createVerify, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { rotateRsaKey } from '../../admin/queries/key-rotation.ts'
import { createPool } from '../../storage/pool.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import { withdrawRsaKey } from '../../admin/queries/withdraw-rsa-key.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { databaseAway } from '../testing/database-away.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { type ReceivedCallback } from '../testing/receiver.ts'
import { collect, send, uniqueMsisdn } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// A receiver that knows only the contract verifies what was signed before, around and after a rotation, with keys that
// it fetches by id.

const NOBODYS_ID = '0123456789abcdef'
const box = createSecretBox(MASTER_KEY, { bytes: randomBytes })
const { database, gateway, clock, after, receiver } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'verification_url'],
})

async function withdraw(id: string): Promise<void> {
  expect(await withdrawRsaKey(gateway.pool, id, clock.now())).toMatchObject({ is: 'withdrawn', before: false })
  await gateway.refresh()
}

async function rotate(): Promise<string> {
  const { id } = await rotateRsaKey(gateway.pool, box, clock.now())
  await gateway.refresh()
  return id
}

const fetchKey = (id: string): Promise<Response> => fetch(`${gateway.url}/.well-known/malipo-rsa/${id}.pem`)

async function pemOf(id: string): Promise<string> {
  const reply = await fetchKey(id)
  expect(reply.status).toBe(200)
  return reply.text()
}

const NAMES = ['merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status'] as const
const textOf = (event: unknown, fields: Readonly<Record<string, unknown>>) =>
  [event, ...NAMES.map((name) => fields[name])].join(':')
const verifies = (text: string, signature: unknown, pem: string) =>
  createVerify('sha256').update(text).verify(pem, String(signature), 'base64')
/** As the contract says: the beginning of the SHA-256 of the key's DER. */
const idOfPem = (pem: string): string =>
  createHash('sha256')
    .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
const keyIdOf = ({ headers }: ReceivedCallback) => String(headers['rsa-key-id'])
const isGood = ({ headers, json: { event, payload } }: ReceivedCallback, pem: string) =>
  verifies(textOf(event, payload), headers['rsa-signature'], pem)

/** The callback of a collection that is paid now. */
async function collected(): Promise<ReceivedCallback> {
  const { body } = await collect(gateway.url)
  await after(1000)
  return receiver.received.find(({ json }) => json.payload.internal_reference === body.data.internal_reference)!
}

test('callbacks name their signing key; it alone verifies them, across a rotation', async () => {
  const old = await collected()
  const id = await rotate()
  const young = await collected()
  expect(keyIdOf(young)).toBe(id)
  expect(keyIdOf(old)).not.toBe(id)
  const [oldPem, youngPem] = await Promise.all([pemOf(keyIdOf(old)), pemOf(keyIdOf(young))])
  expect([isGood(old, oldPem), isGood(old, youngPem)]).toEqual([true, false])
  expect([isGood(young, youngPem), isGood(young, oldPem)]).toEqual([true, false])
})

test('redirects name their signing key; the new one signs, old addresses verify', async () => {
  const { body } = await collect(gateway.url, {
    msisdn: uniqueMsisdn('123'),
    mobile_money_hpp: true,
    redirect_url: 'https://shop.example/done',
  })
  const reference = String(body.data.internal_reference)
  await gateway.paymentSteps.cancel(reference)
  const redirected = async () =>
    Object.fromEntries(new URL((await gateway.paymentSteps.redirect(reference))!).searchParams)
  const old = await redirected()
  const id = await rotate()
  const young = await redirected()
  expect([old.rsa_key_id === id, young.rsa_key_id === id]).toEqual([false, true])
  for (const query of [old, young])
    expect(verifies(textOf(query.event, query), query.rsa_signature, await pemOf(query.rsa_key_id!))).toBe(true)
  expect(verifies(textOf(old.event, old), old.rsa_signature, await pemOf(id))).toBe(false)
})

test('a withdrawn key answers 410 in an uncacheable envelope; the others are served', async () => {
  const old = await rotate()
  const id = await rotate()
  await withdraw(old)
  const { status, headers, body } = await send(gateway.url, 'GET', `/.well-known/malipo-rsa/${old}.pem`)
  expect([status, headers.get('cache-control'), headers.get('rsa-key-id')]).toEqual([410, 'no-store', null])
  expect(body).toEqual({
    code: 410,
    status: 'error',
    message: `RSA key (${old}) was withdrawn: trust nothing that it signed`,
    reason: 'invalid_request',
    data: {},
  })
  await pemOf(id)
  expect((await fetch(`${gateway.url}/.well-known/malipo-rsa.pem`)).headers.get('rsa-key-id')).toBe(id)
})

test('the newest key signs a callback whose key was withdrawn, at the next attempt', async () => {
  await after(1000) // left over from the tests before this one
  receiver.received.length = 0
  receiver.answer(500, 200)
  const first = await collected()
  const id = await rotate()
  await withdraw(keyIdOf(first))
  await after(5 * 60_000)
  const [, retry] = receiver.received as [ReceivedCallback, ReceivedCallback]
  expect(receiver.received).toHaveLength(2)
  expect([retry.headers['webhook-id'], keyIdOf(retry)]).toEqual([first.headers['webhook-id'], id])
  expect(isGood(retry, await pemOf(id))).toBe(true)
  expect((await fetchKey(keyIdOf(first))).status).toBe(410)
})

test('a withdrawn key never signs again, as its private half is gone for later starts', async () => {
  const old = await rotate()
  const id = await rotate()
  await withdraw(old)
  const { rows } = await gateway.pool.query<{ public_pem: string }>(
    'select public_pem from rsa_keys where sealed_private_pem is null',
  )
  expect(rows.map(({ public_pem }) => idOfPem(public_pem))).toContain(old)
  const { pool, reference } = await anotherProcess()
  try {
    expect(reference.rsaSigningKey().id).toBe(id)
    expect(reference.rsaPublicKeys().map((key) => key.id)).not.toContain(old)
    expect(await reference.findRsaPublicKey(old)).toBe('withdrawn')
  } finally {
    await pool.end()
  }
})

// A key of nobody cannot be withdrawn either.
test('refuses to withdraw a signing key, even ten times amid its rotation', async () => {
  const current = await rotate()
  expect(await withdrawRsaKey(gateway.pool, current, clock.now())).toEqual({ is: 'current' })
  expect(await withdrawRsaKey(gateway.pool, NOBODYS_ID, clock.now())).toEqual({ is: 'unknown' })
  const [id] = await Promise.all([
    rotate(),
    ...Array.from({ length: 10 }, () => withdrawRsaKey(gateway.pool, current, clock.now())),
  ])
  await gateway.refresh()
  expect(keyIdOf(await collected())).toBe(id)
})

/** Reference data of another process: loaded at its start, and not updated until it is queried. */
async function anotherProcess() {
  const pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
  const reference = await loadReferenceData({ pool, box, clock, sandbox: true })
  return { pool, reference }
}

test('a thousand requests for unknown keys cost one query and delay no real one', async () => {
  const { pool, reference } = await anotherProcess()
  try {
    const { id } = reference.rsaSigningKey()
    const queries = vi.spyOn(pool, 'query')
    const thirdParties = Array.from({ length: 1000 }, (_, n) =>
      reference.findRsaPublicKey(n.toString(16).padStart(16, '0')),
    )
    expect(await reference.findRsaPublicKey(id)).toMatchObject({ id })
    expect(new Set(await Promise.all(thirdParties))).toEqual(new Set([undefined]))
    expect(queries).toHaveBeenCalledTimes(1)
    expect(await reference.findRsaPublicKey('no key id at all')).toBeUndefined()
    expect(queries).toHaveBeenCalledTimes(1)
  } finally {
    await pool.end()
  }
})

test('an unknown id gets 503, not 404, without a database; known keys are served', async () => {
  const id = await rotate()
  const query = vi.spyOn(gateway.pool, 'query').mockRejectedValue(databaseAway())
  try {
    const { status, headers, body } = await send(gateway.url, 'GET', `/.well-known/malipo-rsa/${NOBODYS_ID}.pem`)
    expect([status, headers.get('retry-after'), body.data]).toEqual([503, '1', {}])
    await pemOf(id)
  } finally {
    query.mockRestore()
  }
})

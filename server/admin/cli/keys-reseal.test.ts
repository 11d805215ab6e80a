import { expect, test } from 'vitest'
import { json, malipo, type Environment } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { MASTER_KEY } from '../../verification/testing/gateway.ts'

const NEW_MASTER_KEY = 'another master key for tests, nothing real'
const database = await databaseTest()

test('keys reseal needs the old key, seals everything once, then refuses the old key', async () => {
  const old = environmentOf(database)
  const next = { ...old, MALIPO_MASTER_KEY: NEW_MASTER_KEY }
  const reseal = (env: Environment) => malipo(['keys', 'reseal'], env)
  expect(await reseal(next)).toEqual({
    code: 1,
    out: '',
    err: 'malipo: MALIPO_MASTER_KEY is not the key that this database was written with, and no other key was given.\nSet MALIPO_MASTER_KEY_OLD to that one. Nothing was changed.\n',
  })
  const wrong = await reseal({ ...next, MALIPO_MASTER_KEY_OLD: 'a third key, which nobody ever used here' })
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toMatch(
    /^malipo: neither master key opens the sealed signing_key of merchant 1: MALIPO_MASTER_KEY_OLD must be the key .*\.\nNothing was changed\.\n$/,
  )
  expect((await malipo(['merchant', 'create', 'Bado'], old)).code).toBe(0)

  const both = { ...next, MALIPO_MASTER_KEY_OLD: MASTER_KEY }
  const done = await reseal(both)
  expect([done.code, done.err]).toEqual([
    0,
    'keys reseal master key: old and new\n  merchant secrets resealed: (none) -> 4\n  rsa keys resealed: (none) -> 1\n  digest keys resealed: (none) -> 1\n',
  ])
  expect(done.out).toMatch(
    /^Resealed: 4 signing keys and webhook secrets, 1 RSA key, 1 digest key; 0 were sealed with this master key already\.\nNow restart every server and worker with this MALIPO_MASTER_KEY\. Until then /,
  )
  expect((await reseal(both)).out).toBe('Nothing to do: all 6 secrets are sealed with this master key.\n')
  expect(await json(['keys', 'reseal'], next)).toEqual({
    merchant_secrets: 0,
    rsa_keys: 0,
    digest_keys: 0,
    rail_settings: 0,
    callback_keys: 0,
    rail_callbacks: 0,
    approval_inputs: 0,
    sealed_already: 6,
  })
  expect((await malipo(['merchant', 'create', 'Mpya'], next)).code).toBe(0)
  expect((await malipo(['merchant', 'create', 'Zamani'], old)).err).toMatch(
    /^malipo: MALIPO_MASTER_KEY is not the key that this database was written with/,
  )
})

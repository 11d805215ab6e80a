import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { readConfig } from '../../config.ts'
import { present } from '../../domain/present.ts'
import { railKind } from '../../rails/registry.ts'
import { keepRailAccounts } from '../../local/sandbox/operators/keep-rail-accounts.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { LIVE_ENV, MASTER_KEY } from '../../verification/testing/gateway.ts'
import { sandboxOperator } from './rail-sandbox.ts'

const { pool } = await databaseTest()
const random = { bytes: (size: number) => randomBytes(size) }
const kind = present(railKind('mtn-momo'), 'the rail of MTN')
const operator = present(SIMULATORS['mtn-momo'], 'the simulator of MTN')
const mtn = await forFile(startSimulator(operator({ countries: { mtnuganda: 'UGX', mtnghana: 'GHS' } })))
const config = readConfig({})
const callbacks = { callback_base_url: 'http://127.0.0.1:1' }
await keepRailAccounts(
  pool,
  createSecretBox(MASTER_KEY, random),
  random,
  [{ name: 'sandbox-uganda', rail: 'mtn-momo', currency: 'UGX', baseUrl: mtn.url, settings: callbacks }],
  new Date(),
)

test("finds the gateway's own operator, with the settings of the named country", async () =>
  expect(await sandboxOperator({ config, pool }, kind, 'GHS')).toEqual({
    baseUrl: mtn.url,
    currency: 'GHS',
    settings: { ...mtn.open.railSettings, ...callbacks, target_environment: 'mtnghana' },
  }))

test('requires a choice between several countries', async () =>
  expect(sandboxOperator({ config, pool }, kind, undefined)).rejects.toThrow(`has UGX, GHS: say which with --currency`))

test('live mode accepts no simulator', async () => {
  const live = readConfig({ ...LIVE_ENV, MALIPO_MASTER_KEY: MASTER_KEY })
  await expect(sandboxOperator({ config: live, pool }, kind, 'UGX')).rejects.toThrow('live mode takes none')
})

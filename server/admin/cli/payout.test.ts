import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAYOUT_TEMPLATE } from '../../domain/payout-file.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import { soon } from './testing/command-line.ts'
import { operatedGateway } from './testing/operated-gateway.ts'

const { json, malipo } = await operatedGateway()
const { written } = temporaryFolder()
const TITLES = 'merchant_reference;account_number;amount;currency;provider_code;customer_name;description'
const row = (reference: string, account: string) =>
  `${reference};${account};20000;UGX;mtn_ug;Amina Nakato;Salary of March`
const DEMO = 'pub_sandbox_demo'

test('prints a template that can be sent back, byte for byte', async () => {
  expect((await malipo(['payout', 'template'])).out).toBe(PAYOUT_TEMPLATE)
})

test('sends a file once, shows what failed, and tries that again', async () => {
  const faulty = written('faulty.csv', [TITLES, row('SALARY-001', '2,56772E+11'), row('SALARY-002', '1')].join('\n'))
  const faults = written('faults.csv', '')
  const refused = await malipo(['payout', 'batch', DEMO, faulty, '--faults', faults])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('line 2: account_number was rounded by a spreadsheet') as string,
  ])
  expect(readFileSync(faults, 'utf8')).toMatch(/^line,fault\r\n2,.*\r\n3,.*\r\n$/)

  const file = written(
    'salaries.csv',
    [TITLES, row('SALARY-001', '256772000123'), row('SALARY-002', '256772000004')].join('\r\n'),
  )
  const preview = await malipo(['payout', 'batch', DEMO, file, '--preview'])
  expect([preview.code, preview.err]).toEqual([0, expect.stringContaining('2 of 40,000 UGX') as string])
  const { batch_reference: reference } = await json<{ batch_reference: string }>(['payout', 'batch', DEMO, file])
  expect((await malipo(['payout', 'batch', DEMO, file])).err).toContain(`${reference}) has already been used`)
  interface BatchState {
    readonly finished_at: string | null
    readonly retryable: number
    readonly failed: readonly object[]
  }
  const shown = await soon(async () => {
    const now = await json<BatchState>(['payout', 'show', DEMO, reference])
    return now.finished_at !== null && now
  }, 'the end of the batch')
  expect(shown).toMatchObject({ retryable: 1, failed: [{ line: 3, merchant_reference: 'SALARY-002' }] })
  const retry = () => malipo(['payout', 'retry', DEMO, reference, '--reason', 'The wallet is filled'])
  expect((await retry()).out).toMatch(/tries 1 payouts again/)
  expect((await retry()).err).toContain('failed and can be tried again')
})

import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import { OperationRefusal } from './operation.ts'
import { faultsCsv, PAYOUT_COLUMNS, PAYOUT_TEMPLATE } from '../../domain/payout-file.ts'
import { readPayoutFile } from './payout-file.ts'

const options: Readonly<Record<string, object>> = {
  mtn_ug: { callingCode: '256', currency: 'UGX' },
  bank_ng: { callingCode: '', currency: 'NGN' },
}
const reference = {
  option: (code: string) => options[code],
  banks: () => [{ bankCode: '044' }, { bankCode: 'access_bank_ng' }],
} as unknown as ReferenceData

const read = (file: string | Uint8Array) => {
  const { rows } = readPayoutFile(Buffer.from(file), { reference, maker: { name: 'Amina' } })
  return rows.map((row) => ('fault' in row ? `${row.line}: ${row.fault}` : { line: row.line, ...row.request }))
}
const TITLES = 'merchant_reference,account_number,amount,currency,provider_code,customer_name,description'
const ROW = 'SALARY-001,256772000123,20000,UGX,mtn_ug,Amina Nakato,Salary of March'
const good = {
  line: 2,
  merchantReference: 'SALARY-001',
  method: 'MOBILE_MONEY',
  account: '256772000123',
  amount: '20000',
  currency: 'UGX',
  providerCode: 'mtn_ug',
  customerName: 'Amina Nakato',
  description: 'Salary of March',
  maker: { name: 'Amina' },
}
const BANK = `${TITLES},bank_code\nSALARY-001,0690000031,500,NGN,bank_ng,Amina Nakato,Salary of March,access_bank_ng`
const faultOf = (from: string, to: string, file = `${TITLES}\n${ROW}`) => read(file.replace(from, to))

describe('a file of payouts', () => {
  test('is read as spreadsheets write it', () => {
    const semicolons = `${TITLES}\r\n${ROW}\r\n`.replaceAll(',', ';')
    for (const file of [
      `${TITLES}\n${ROW}`,
      `\ufeff${TITLES}\r\n${ROW}\r\n\r\n`,
      `\ufeff${semicolons};;;\r\n`,
      `${TITLES.toUpperCase()},\n${ROW.replace('Amina Nakato', '"Amina Nakato"')},`,
      Buffer.from(`\ufeff${TITLES}\t\n`.replaceAll(',', '\t') + ROW.replaceAll(',', '\t'), 'utf16le'),
    ])
      expect(read(file)).toEqual([good])
    const old = Buffer.from(`${TITLES}\n${ROW.replace('Amina', 'Aimée')}`, 'latin1')
    expect(read(old)).toEqual([{ ...good, customerName: 'Aimée Nakato' }])
    expect(read(semicolons.replace('20000', '20000,50'))).toEqual([{ ...good, amount: '20000.50' }])
    expect(read(`${TITLES}\n${ROW.replace('Amina Nakato', '"Amina\n""A"""')}\n${ROW}`)[1]).toMatchObject({ line: 4 })
    expect(read(PAYOUT_TEMPLATE)).toMatchObject([{ method: 'MOBILE_MONEY' }, { method: 'BANK', amount: '5000.50' }])
  })

  test.each([
    ['256772000123', '2.56772E+11', 'account_number was rounded by a spreadsheet'],
    ['SALARY-001', '1,2E+15', 'merchant_reference was rounded', true],
    ['256772000123', '772000123', 'account_number has lost its first zero'],
    ['SALARY-001', '', 'merchant_reference is required'],
    ['SALARY-001', 'SHORT', 'merchant_reference must have 8 to 36 characters'],
    ['20000', '20 000', 'amount must be a number such as'],
    ['20000', '"20,000"', 'amount must be a number such as'],
    ['20000', '-5', 'amount must be a number such as'],
    ['20000,UGX', '-5,ugx', /^2: amount must be a number such as [^;]*; currency must be a 3-letter ISO 4217 code$/],
    ['Salary of March', 'Salary', 'description must have 10 to 30 characters'],
    ['Salary of March', 'Salary of March,,7', 'it has more cells than the titles'],
  ])('names the row whose %s is %s', (from, to, fault, isQuoted?: boolean) => {
    const found: unknown =
      typeof fault === 'string' ? expect.stringContaining(`2: ${fault}`) : expect.stringMatching(fault)
    expect(faultOf(from, isQuoted ? `"${to}"` : to)).toEqual([found])
  })

  test.each([
    ['0690000031', '690000031', 'account_number has lost its first zero'],
    ['0690000031', '06-90', 'account_number must have 6 to 20 digits'],
    ['access_bank_ng', '44', 'bank_code has lost its first zero'],
  ])('names the bank row whose %s is %s', (from, to, fault) => {
    expect(faultOf(from, to, BANK)).toEqual([expect.stringContaining(`2: ${fault}`)])
  })

  test.each([
    ['', 'its first line lacks merchant_reference'],
    [TITLES, 'it has no payouts'],
    [`${TITLES},color\n${ROW},red`, 'its column color is unknown'],
    [`${TITLES},amount\n${ROW},1`, 'it has the column amount twice'],
    [`${TITLES}\n"${ROW}`, 'it has quotes'],
    ['PK\u0003\u0004\0', 'it is no text'],
    [`${TITLES}\n${`${ROW}\n`.repeat(10_001)}`, 'it has 10001 payouts, and 10000 are the most'],
    [' '.repeat(4_194_305), 'it is larger than 4 MiB'],
  ])('is refused whole: %#', (file, why) => {
    expect(() => read(file)).toThrow(OperationRefusal)
    expect(() => read(file)).toThrow(`nothing was accepted: the file cannot be used: ${why}`)
  })

  test('has a reference by its content', () => {
    const of = (file: string) => readPayoutFile(Buffer.from(file), { reference, maker: { name: 'Amina' } }).reference
    expect(of(`${TITLES}\n${ROW}`)).toMatch(/^CSV-[0-9A-F]{28}$/)
    expect(of(`${TITLES}\n${ROW}`)).not.toBe(of(`${TITLES}\n${ROW}\n`))
  })

  test('has the bounds that the contract gives a single payout', () => {
    const { components } = JSON.parse(
      readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'),
    ) as { components: { schemas: Record<string, Schema> } }
    const { MobileMoneyPayoutRequest: single, BankPayoutExtraParams: bank } = components.schemas
    const own = { ...single?.properties, ...bank?.properties }
    const boundsOf = (name: string) => {
      const schema = own[name]
      const of =
        schema?.$ref === undefined ? schema : { ...components.schemas[schema.$ref.split('/').at(-1) ?? ''], ...schema }
      return [of?.pattern, of?.minLength, of?.maxLength]
    }
    for (const [name, { pattern, lengthMin, lengthMax }] of Object.entries(PAYOUT_COLUMNS))
      if (name !== 'amount') expect([name, pattern.source, lengthMin, lengthMax]).toEqual([name, ...boundsOf(name)])
  })
})

interface Schema {
  readonly $ref?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

test('writes faulty rows as a file that no spreadsheet executes', () => {
  expect(faultsCsv([{ line: 2, message: '=1+1' }])).toBe("line,fault\r\n2,'=1+1\r\n")
})

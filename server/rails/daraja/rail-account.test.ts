import { expect, test } from 'vitest'
import { selfSigned } from '../../outbound/testing/test-certificate.ts'
import { SettingFault } from '../rail-kind.ts'
import { daraja } from './daraja.ts'
import { COLLECTS, PAYS_OUT, testWorld } from './testing/daraja-at-test.ts'

const all = { base_url: 'http://127.0.0.1:9', ...COLLECTS, ...PAYS_OUT }
const NO_PAYOUTS = { initiator_name: undefined, initiator_password: undefined, certificate: undefined }
const connect = (changes: Readonly<Record<string, string | undefined>> = {}, world = testWorld()) =>
  daraja.connect(
    Object.fromEntries(
      Object.entries({ ...all, ...changes }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    world,
  )

test('collecting alone needs no initiator, paying out alone no passkey', () => {
  const { initiator_name: _name, initiator_password: _password, certificate: _certificate, ...collects } = all
  const { passkey: _passkey, ...paysOut } = all
  expect(() => daraja.connect(collects, testWorld())).not.toThrow()
  expect(() => daraja.connect(paysOut, testWorld())).not.toThrow()
  expect(() => connect({ passkey: '', till_number: '' })).not.toThrow()
})

test.each([
  ['nothing to do', { passkey: undefined, ...NO_PAYOUTS }, 'it needs a passkey to collect'],
  ['an initiator without a certificate', { certificate: undefined }, 'belong together'],
  ['no base_url', { base_url: undefined }, 'base_url is missing'],
  ['no consumer key', { consumer_key: undefined }, 'consumer_key is missing'],
  ['a short code with letters', { short_code: '17A379' }, 'short_code must be the 5 to 10 digits'],
  ['another type of transaction', { transaction_type: 'CustomerPayBillOnline' }, 'transaction_type must be paybill or'],
  ['a till of a pay bill number', { till_number: '300584' }, 'till_number needs transaction_type buygoods'],
  ['a text that is too long', { prompt_text: 'Fourteen signs' }, 'prompt_text must be 1 to 13'],
  ['a text with other signs', { prompt_text: 'Zażółć' }, 'prompt_text must be 1 to 13'],
  ['a certificate that is none', { certificate: 'nonsense' }, 'certificate must be a certificate in PEM'],
  ['a key on a curve', { certificate: selfSigned('safaricom.invalid').cert }, 'certificate must be a certificate with'],
  ['a password that does not fit', { initiator_password: 'x'.repeat(246) }, 'must have at most 245 bytes'],
  ['codes without commas', { payout_failed_codes: '1 2' }, 'payout_failed_codes must be codes'],
  ['a pull that is maybe', { pull: 'maybe' }, 'pull must be yes or no'],
  ['a wait of no time', { collection_ask_after_seconds: '0' }, 'collection_ask_after_seconds must be a whole number'],
  ['a wait of a day', { payout_ask_after_seconds: '86400' }, 'payout_ask_after_seconds must be a whole number'],
])('%s is a fault of the settings that its owner reads', (_what, changes, message) => {
  expect(() => connect(changes)).toThrow(SettingFault)
  expect(() => connect(changes)).toThrow(message)
})

test.each(['mpesa', 'Safaricom', 'exe', 'cmd', 'sql', 'query'])(
  'an address with "%s" is refused before Safaricom does',
  (word) => {
    const world = testWorld({ callbackUrl: (id) => `https://pay.example/${word}/${id}` })
    expect(() => connect({}, world)).toThrow(`holds "${word}"`)
  },
)

test('another currency than shillings is refused', () => {
  expect(() => connect({}, testWorld({ currency: 'UGX' }))).toThrow('currency must be KES')
})

test('secrets are marked as such, and no fault repeats one', () => {
  const secret = Object.entries(daraja.settings).flatMap(([name, setting]) => (setting.secret ? [name] : []))
  expect(secret).toEqual(['consumer_key', 'consumer_secret', 'passkey', 'initiator_password'])
  for (const name of [...secret, 'certificate'])
    expect(daraja.settings[name]?.fault?.('HUSH'.repeat(100)) ?? '').not.toContain('HUSH')
})

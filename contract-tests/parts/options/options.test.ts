import { expect, test } from 'vitest'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import type { Fields } from '../../harness/json.ts'
import { present, type Target } from '../../harness/part.ts'
import { passOn, type WireRequest } from '../../harness/proxy.ts'
import * as edit from '../../strength/faults/edit.ts'
import type { Plant } from '../../strength/faults/fault.ts'
import { optionsPart, runOptions, type OptionFilter } from './options.ts'

// suite.pull-request.test.ts shows that our gateway pays by every option as it lists and describes it.

const receiverPort = await freePort()
const { gateway } = await ownGatewayTest({ receiverPort })
let hooks: NonNullable<Plant['api']> = {}
const api = await changingProxyTest(gateway.url, () => hooks)
const target: Target = { ...gateway, url: api.url, receiver: present(gateway.receiver, 'receiver') }
const options = { size: 'pull-request', log: () => undefined } as const

test('is skipped without test numbers and says so', async () =>
  expect(await optionsPart.run({ ...target, sandbox: false }, { ...options, seed: 1 })).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('test numbers'),
  }))

/** Beside other tests each one takes many times the second that it takes alone. */
const BUSY_MS = 120_000

interface FaultyServer extends OptionFilter {
  readonly plant: Plant
  readonly found: readonly (readonly [about: string, what: string])[]
}

const send = (request: WireRequest) => passOn(new URL(gateway.url), request)
const GHANA = { codes: ['airtel_gh'] }
const SOUTH_AFRICA = { codes: ['bank_za'] }
/** Changes verify replies. */
const verified = (change: (record: Fields) => Fields): Plant =>
  edit.replies(edit.VERIFY, 200, (reply) => edit.withFields(reply, edit.data(change)))
/** Changes lists. */
const listed = (of: 'payment_providers' | 'payout_banks', change: (items: readonly unknown[]) => unknown): Plant =>
  edit.replies([...edit.PROVIDERS, ...edit.BANKS], 200, (reply) =>
    edit.withFields(
      reply,
      edit.data((inner) => (Array.isArray(inner[of]) ? { ...inner, [of]: change(inner[of]) } : inner)),
    ),
  )

const WRONG: Readonly<Record<string, FaultyServer>> = {
  'forgets the flat part of a charge': {
    ...SOUTH_AFRICA,
    plant: verified((record) => {
      const { transaction_charge: charge, transaction_type: type } = record
      return type === 'PAYOUT' && Number(charge) > 2.5
        ? { ...record, transaction_charge: Number(charge) - 2.5 }
        : record
    }),
    found: [['verifyTransaction', 'not 2.6: bank_za PAYOUT of the smallest amount']],
  },
  'does not list a bank': {
    ...SOUTH_AFRICA,
    plant: listed('payout_banks', (banks) => banks.slice(1)),
    found: [['listPayoutBanks', 'banks of bank_za are not listed and in the docs of the sandbox: absa_za']],
  },
  'refuses payouts to one of the listed banks': {
    ...SOUTH_AFRICA,
    plant: edit.replies(edit.SEND, 202, (reply, { body }) =>
      body.includes('nedbank_za') ? edit.refusal(reply, 400, 'Invalid bank code (nedbank_za)') : reply,
    ),
    found: [['sendFunds', 'bank_za PAYOUT to nedbank_za (10 ZAR) was answered 400 "Invalid bank code (nedbank_za)"']],
  },
  'does not list an option in one direction': {
    ...GHANA,
    plant: listed('payment_providers', (items) =>
      items.filter(
        (item) =>
          !JSON.stringify(item).includes(
            '"airtel_gh","transaction_method":"MOBILE_MONEY","transaction_method_name":"Mobile Money","transaction_type":"Payout"',
          ),
      ),
    ),
    found: [['listPaymentProviders', 'airtel_gh is not listed for PAYOUT in GHS']],
  },
  'lists a limit that is one unit too high': {
    ...GHANA,
    plant: {
      api: {
        onReply: (reply, request) =>
          edit.isOne(edit.PROVIDERS, request)
            ? edit.withBody(reply, reply.body.toString().replaceAll('"max_amount":10000,', '"max_amount":10000.01,'))
            : reply,
      },
    },
    found: [
      [
        'listPaymentProviders',
        'the largest amount (in minor units) of airtel_gh is 1000001, in the docs of the sandbox 1000000',
      ],
    ],
  },
  'accepts one unit less than the smallest amount': {
    ...GHANA,
    plant: edit.accepts({ send }, edit.PAYMENTS, /^amount must be between 1 and/, edit.setting({ amount: 1 })),
    found: [
      ['initializeCollection', 'airtel_gh COLLECTION one unit below the smallest amount (0.99 GHS) was answered 202'],
      ['sendFunds', 'airtel_gh PAYOUT one unit below the smallest amount (0.99 GHS) was answered 202'],
    ],
  },
  'lets the merchant bear a charge that the customer bears': {
    ...GHANA,
    plant: verified((record) =>
      record['charge_customer'] === true ? { ...record, total_credit: Number(record['total_credit']) - 0.01 } : record,
    ),
    found: [['verifyTransaction', 'total_credit is 1.49, not 1.5: airtel_gh COLLECTION']],
  },
  'rounds a converted amount down': {
    ...GHANA,
    converts: true,
    plant: verified((record) => {
      const { request_currency: from, transaction_currency: to, transaction_amount: amount } = record
      return from === to ? record : { ...record, transaction_amount: Math.round(Number(amount) * 100 - 1) / 100 }
    }),
    found: [['verifyTransaction', 'airtel_gh COLLECTION of the smallest amount in KES']],
  },
}

const wrongServers = Object.entries(WRONG).map(([name, wrong], index) => ({ name, index, ...wrong }))
test.each(sampledByDefault('wrong servers', wrongServers))(
  'finds a server that $name',
  { timeout: BUSY_MS },
  async ({ index, plant, found, ...chosen }) => {
    hooks = plant.api ?? {}
    const { findings } = await runOptions(target, { ...options, seed: 1_000 * (index + 1) }, chosen)
    hooks = {}
    for (const [about, what] of found)
      expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
    expect(new Set(findings.map(({ about }) => about))).toEqual(new Set(found.map(([about]) => about)))
  },
)

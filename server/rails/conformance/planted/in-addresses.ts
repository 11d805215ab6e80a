import { randomUUID } from 'node:crypto'
import { darajaCollection } from '../counterparts/daraja.ts'
import { mtnCollection } from '../counterparts/mtn-momo.ts'
import { adapterThat, worldThat, type Plant } from './plant.ts'

const OWN_ADDRESS = 'an order has its own address, and messages there are read'

/** Faults in the callback URL that an operator gets, and in the values that must fit into it. */
export const IN_ADDRESSES: readonly Plant[] = [
  {
    name: 'gives an address with a word that it does not read',
    in: darajaCollection,
    breaks: [
      OWN_ADDRESS,
      'a message is read correctly',
      "a message's order, amount, account and names are read, not skipped",
      'reported amounts are read exactly',
      'an undocumented result code claims nothing, and is passed on',
      'a documented failure result is a failure, with a failure code',
      'an odd field that decides nothing delays no money and opens no circuit',
    ],
    wrong: (kind) => ({
      ...worldThat((world) => ({ callbackUrl: (orderId) => world.callbackUrl(orderId, 'elsewhere') }))(kind),
      callbackTails: ['', 'elsewhere'],
    }),
  },
  {
    name: 'gives an order the address of another',
    in: darajaCollection,
    breaks: [
      OWN_ADDRESS,
      'amount, currency, account and our id go out exactly',
      'a token refused in between is renewed, and the same order is resent once',
    ],
    wrong: worldThat((world) => ({ callbackUrl: (_orderId, tail) => world.callbackUrl(randomUUID(), tail) })),
  },
  {
    name: 'claims a verdict for a message that has none',
    in: mtnCollection,
    breaks: ['a result is stored after any flood'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) =>
        callback.body.includes('"flood"')
          ? { mayQuery: true, externalIds: {}, outcome: { status: 'FAILED', reason: 'It failed' } }
          : readCallback(callback),
    })),
  },
]

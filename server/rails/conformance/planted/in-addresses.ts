import { randomUUID } from 'node:crypto'
import { darajaCollection } from '../counterparts/daraja.ts'
import { mtnCollection } from '../counterparts/mtn-momo.ts'
import { adapterThat, worldThat, type Plant } from './plant.ts'

const OWN_ADDRESS = 'an order has an address of its own, and what comes there is read'

/** Faults in the callback URL that an operator gets, and in the values that must fit into it. */
export const IN_ADDRESSES: readonly Plant[] = [
  {
    name: 'gives an address with a word that it does not read',
    in: darajaCollection,
    breaks: [
      OWN_ADDRESS,
      'a message is read as what it says',
      'what a message says of order, amount, account and names is read, not left out',
      'amounts that are told are read exactly',
      'a result code that nobody documents claims nothing, and is passed on',
      'a result code that the operator documents as a failure is one, with a failure code',
      'an odd field that decides nothing holds up no money and opens no circuit',
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
      'a token that is refused in the middle is renewed, and the same order goes out once more',
    ],
    wrong: worldThat((world) => ({ callbackUrl: (_orderId, tail) => world.callbackUrl(randomUUID(), tail) })),
  },
  {
    name: 'claims a verdict for a message that has none',
    in: mtnCollection,
    breaks: ['a result is stored whatever flood came before it'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) =>
        callback.body.includes('"flood"')
          ? { mayAsk: true, externalIds: {}, outcome: { status: 'FAILED', reason: 'It failed' } }
          : readCallback(callback),
    })),
  },
]

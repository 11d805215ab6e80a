import { listRates, setRate } from '../queries/provider-settings.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation } from './operation.ts'

/** `rate` is a decimal number as text: never a binary fraction. */
type RateInput = { readonly from: string; readonly to: string; readonly rate: string }

/** How many units of one currency one unit of another buys. */
export const setExchangeRate: Operation<RateInput, RateInput> = {
  name: 'rate set',
  approval: 'rates',
  async prepare({ clock }, { from, to, rate }) {
    if (from === to) throw new OperationRefusal('invalid', 'a currency needs no exchange rate to itself')
    if (Number(rate) === 0) throw new OperationRefusal('invalid', 'the rate must be above 0')
    return {
      subject: `${from} ${to}`,
      read: async (pool) =>
        displayValues({ rate: (await listRates(pool)).find((row) => row.from === from && row.to === to)?.rate }),
      async apply(pool) {
        await setRate(pool, { from, to, rate }, clock.now())
        return { from, to, rate }
      },
    }
  },
}

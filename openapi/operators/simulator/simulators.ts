import { airtel } from './airtel/airtel.ts'
import { daraja } from './daraja/daraja.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import type { Operator, OperatorOptions } from './operator.ts'

/** Every operator with a simulator, by the name of its contract. */
export const SIMULATORS: Readonly<Record<string, (options?: OperatorOptions) => Operator>> = {
  'mtn-momo': mtnMomo,
  daraja,
  airtel,
}

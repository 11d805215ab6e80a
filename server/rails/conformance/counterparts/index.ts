import type { Counterpart } from '../counterpart.ts'
import { darajaCollection, darajaPayout } from './daraja.ts'
import { mtnCollection, mtnPayout } from './mtn-momo.ts'

/** Every rail kind in each of its directions: add a line for each here. */
export const COUNTERPARTS: readonly Counterpart[] = [mtnCollection, mtnPayout, darajaCollection, darajaPayout]

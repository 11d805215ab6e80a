import type { Counterpart } from '../counterpart.ts'
import { darajaCollection, darajaPayout } from './daraja.ts'
import { mtnCollection, mtnPayout } from './mtn-momo.ts'

/** Every kind of rail in each of its directions: a line for each here. */
export const COUNTERPARTS: readonly Counterpart[] = [mtnCollection, mtnPayout, darajaCollection, darajaPayout]

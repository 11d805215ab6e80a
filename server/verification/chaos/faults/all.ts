import { clocks } from './clocks.ts'
import { database } from './database.ts'
import type { FaultKind } from './fault.ts'
import { kills } from './kills.ts'
import { pauses } from './pauses.ts'
import { receivers } from './receivers.ts'
import { wallets } from './wallets.ts'

export const FAULT_KINDS: readonly FaultKind[] = [kills, pauses, database, receivers, clocks, wallets]

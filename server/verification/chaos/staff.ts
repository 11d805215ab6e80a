import { childEnv } from '../testing/child-env.ts'
import { runCommand, type CommandResult } from '../testing/run-command.ts'

/** A booking requested by staff, recognised by its note. */
export interface Booking {
  readonly note: string
  /** Whether the command line reported success. If not, the booking may still have been made. */
  readonly done: boolean
}

export interface Staff {
  /** Runs a command of the command line with --json. */
  malipo(...args: readonly string[]): Promise<CommandResult>
  /** Deposits money into the demo merchant's payout wallet. */
  deposit(amount: number): Promise<void>
  transfer(amount: number, from: 'collection' | 'payout', to: 'collection' | 'payout'): Promise<void>
  readonly bookings: readonly Booking[]
}

export const DEMO_PUBLIC_KEY = 'pub_sandbox_demo'
export const CURRENCY = 'UGX'

/** A member of staff, at a terminal on the same database. */
export function createStaff(env: Readonly<Record<string, string>>): Staff {
  const bookings: Booking[] = []
  const malipo: Staff['malipo'] = (...args) => runCommand([...args, '--json'], { ...childEnv(), ...env })
  async function book(...args: readonly string[]): Promise<void> {
    const note = `drill ${bookings.length + 1}`
    const requested = bookings.push({ note, done: false })
    const { code } = await malipo('wallet', ...args, '--reference', note, '--reason', note)
    if (code === 0) bookings[requested - 1] = { note, done: true }
  }
  return {
    malipo,
    bookings,
    deposit: (amount) => book('deposit', DEMO_PUBLIC_KEY, CURRENCY, String(amount)),
    transfer: (amount, from, to) =>
      book('transfer', DEMO_PUBLIC_KEY, CURRENCY, String(amount), '--from', from, '--to', to),
  }
}

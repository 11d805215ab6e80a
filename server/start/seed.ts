import { seedSandbox } from '../local/sandbox/seed-sandbox.ts'
import type { Foundation } from './foundation.ts'

/** Providers, banks and the demo merchant, whose callbacks go to the inbox at `url`. For the sandbox's servers only. */
export async function seed({ sandbox, surroundings, pool, box, clock }: Foundation, url: string): Promise<void> {
  if (!sandbox || surroundings.role === 'worker') return
  await seedSandbox(pool, box, url, clock.now())
}

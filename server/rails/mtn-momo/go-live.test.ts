import { describe, onTestFinished, test } from 'vitest'
import { PRODUCTS } from './settings.ts'
import type { Counterpart } from './testing/counterpart.ts'
import { goLiveRows } from './testing/go-live.ts'
import { startScriptedMtn } from './testing/scripted-mtn.ts'
import { startSimulatedMtn } from './testing/simulated-mtn.ts'

// MTN's own list of what a product must pass before it goes live. Add another counterpart as another line here.
const COUNTERPARTS: Readonly<Record<string, () => Promise<Counterpart>>> = {
  'an operator that is scripted': startScriptedMtn,
  'the simulator': startSimulatedMtn,
}

describe.each(Object.entries(COUNTERPARTS))('against %s', (_name, start) => {
  describe.each(PRODUCTS)('%s', (product) => {
    test.each(goLiveRows(product))('$name', async ({ run }) => {
      const counterpart = await start()
      onTestFinished(() => counterpart.close())
      await run(counterpart)
    })
  })
})

// For programs and tests that start a simulator in their own process.
export type { Operator, OperatorOptions } from './operator.ts'
export type { Scenario } from './scenarios/effects.ts'
export { SIMULATORS } from './simulators.ts'
export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
export { createClock, type Clock } from './world/clock.ts'
export { carryForward } from './world/carry-forward.ts'
export type { Entry, Journal } from './world/journal.ts'

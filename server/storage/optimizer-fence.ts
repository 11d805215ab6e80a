/**
 * Optimizer fence: a condition that the planner cannot use to choose an index. A plan made for a small table stays
 * cached when the table is large. Where a row is found by a key, another index with the same first column would cost
 * the same on the first day, and would scan the backlog later.
 */
export const optimizerFence = (condition: string): string => `(${condition}) is true`

/**
 * Optimizer fence for the join of rows that `= any($ids)` finds with the values of a batch: an expression that no index
 * serves, so the join is hashed. With the column itself a cached plan may look up each row of the values, and sort the
 * whole array of ids again each time: 46 µs a row in a batch of 500, 4 µs as a hash join.
 */
export const withoutIndex = (column: string): string => `${column} + 0`

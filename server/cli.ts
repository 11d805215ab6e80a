#!/usr/bin/env node
// The command line stays small and loads only the requested group of commands: `serve` must be ready within a second.
import './compile-cache.cjs'

const { runProgram } = await import('./admin/cli/program.ts')
await runProgram(process.argv)

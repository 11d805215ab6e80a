#!/usr/bin/env node
import { runToolbox } from './run-toolbox.ts'
import { processTerminal } from './terminal.ts'

process.exitCode = await runToolbox(process.argv.slice(2), processTerminal())

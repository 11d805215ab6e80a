/// <reference types="node" />
// Loaded before the command line (`node -r`): modules come from the compile cache from here on, or are compiled and
// added to it when the process ends. Once one TypeScript file is loaded without it, Node keeps its TypeScript parser in
// memory, which is 16 MB and 30 ms of each start. That is why this one is JavaScript.
'use strict'

require('./node-version.cjs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

// Next to the packages: in the temporary folder another user could plant compiled code for us to run.
enableCompileCache(join(__dirname, '../node_modules/.cache/malipo'))

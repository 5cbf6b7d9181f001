import { arrows } from './arrows.ts'
import { barrels } from './barrels.ts'
import { circles } from './circles.ts'
import { clock } from './clock.ts'
import { components } from './components.ts'
import { defaultExports } from './default-exports.ts'
import { environment } from './environment.ts'
import { folders } from './folders.ts'
import { leftOvers } from './left-overs.ts'
import type { Rule } from './rule.ts'
import { fileSizes, functionSizes } from './sizes.ts'
import { suppressions } from './suppressions.ts'
import { translations } from './translations.ts'
import { unusedFiles } from './unused-files.ts'
import { unusedMessages } from './unused-messages.ts'
import { ways } from './ways.ts'
import { wireFields } from './wire-fields.ts'
import { wireWords } from './wire-words.ts'

/** The arrows and habits this repository holds; one rule each. */
export const RULES: readonly Rule[] = [
  arrows,
  circles,
  folders,
  wireWords,
  environment,
  clock,
  components,
  fileSizes,
  functionSizes,
  leftOvers,
  unusedFiles,
  defaultExports,
  barrels,
  suppressions,
  translations,
  unusedMessages,
  wireFields,
  ways,
]

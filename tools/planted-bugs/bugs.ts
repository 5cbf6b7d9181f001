import type { Bug } from './bug.ts'
import { CORE_BUGS } from './core-bugs.ts'
import { DOOR_BUGS } from './door-bugs.ts'
import { ENGINE_BUGS } from './engine-bugs.ts'
import { MONEY_BUGS } from './money-bugs.ts'
import { PRICE_BUGS } from './price-bugs.ts'
import { PRIVACY_BUGS } from './privacy-bugs.ts'
import { SESSION_BUGS } from './session-bugs.ts'
import { STREAM_BUGS } from './stream-bugs.ts'
import { TERMS_BUGS } from './terms-bugs.ts'
import { VERIFY_BUGS } from './verify-bugs.ts'
import { WEB_BUGS } from './web-bugs.ts'

export const BUGS: readonly Bug[] = [
  ...CORE_BUGS,
  ...DOOR_BUGS,
  ...ENGINE_BUGS,
  ...MONEY_BUGS,
  ...PRICE_BUGS,
  ...PRIVACY_BUGS,
  ...SESSION_BUGS,
  ...STREAM_BUGS,
  ...TERMS_BUGS,
  ...VERIFY_BUGS,
  ...WEB_BUGS,
]

import { expect, test } from 'vitest'
import { actionName } from './audit-text.ts'

test.each([
  ['restrictPerson', 'Restrict user'],
  ['hideStrategy', 'Moderate strategy'],
  ['constructor', 'Constructor'],
])('the action %s is shown as "%s"', (act, name) => expect(actionName(act)).toBe(name))

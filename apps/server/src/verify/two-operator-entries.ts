import { SETTINGS_OF_TWO, TWO_OPERATORS, type ApprovalName } from '@fairlot/contract/desk'
import type { Event } from '@fairlot/core'
import { isByDeployment } from '../desk/audit-log/audit-log.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'

type Values = Readonly<Record<string, unknown>>

const valuesOf = (json: string | null): Values =>
  json === null ? {} : ((JSON.parse(json) as Values | null) ?? {})

/**
 * Changes of the tables that need two operators: their audit entries name both. What the engine decides is judged in
 * the journal. The rules hold from the end of single-operator mode on, which an audit entry is known to follow once
 * it, or one before it, names a later moment of the journal.
 */
export function createTwoOperatorEntries() {
  let begin = Infinity
  let isInForce = false
  /** The settings that have an entry. */
  const recorded = new Set<string>()
  const faults: string[] = []
  return {
    /** Events of the journal, in their order. `at` is epoch ms. */
    take: ({ type }: Event, at: number) => {
      if (type === 'singleOperatorEnded') begin = Math.min(begin, at)
    },
    observe: (row: DeskActTable) => {
      isInForce ||= row.journal_at !== null && Number(row.journal_at) > begin
      const rule = ruleOf(row)
      if (rule === null) return
      const { what } = TWO_OPERATORS[rule]
      const isFirst = rule === 'setting' && !recorded.has(row.subject)
      recorded.add(row.subject)
      // A start records the value of a setting that no entry names yet.
      if (isFirst && isByDeployment(row)) return
      if (row.second_id === row.operator_id)
        faults.push(`audit entry ${row.id}: ${what}: its second operator is the first`)
      else if (isInForce && row.second_id === null)
        faults.push(`audit entry ${row.id}: ${what}: it names one operator, it should name two`)
    },
    finish: () => faults.values(),
  }
}

/** The rule of two operators that an entry falls under; null for none. */
function ruleOf({ act, outcome, subject, before, after }: DeskActTable): ApprovalName | null {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  if (outcome !== 'done' || Object.hasOwn(is, 'asked') || Object.hasOwn(is, 'approval')) return null
  switch (act) {
    case 'editPaymentSetup':
      if (isSwitchOff(was, is)) return null
      return subject.startsWith('withdrawalCurrency:') ? 'payoutCurrency' : 'receivingAccount'
    case 'changeSettings':
      return SETTINGS_OF_TWO.includes(subject.replace('setting:', '')) ? 'setting' : null
    case 'verifyPerson':
      return is['identity'] === 'verified' ? 'verifyPerson' : null
    case 'changeOperators':
      return ruleOfOperators(was, is)
    default:
      return null
  }
}

/** One operator may switch a channel or a currency off, but change nothing else with it. */
function isSwitchOff(was: Values, is: Values): boolean {
  if (is['isOn'] === false && Object.keys(is).length === 1) return true
  return was['state'] === 'on' && JSON.stringify({ ...was, state: 'off' }) === JSON.stringify(is)
}

function ruleOfOperators(was: Values, is: Values): ApprovalName | null {
  if (is['invitation'] === 'renewed') return 'renewInvitation'
  if (is['password'] === 'none') return 'resetOperator'
  if (Object.hasOwn(is, 'name')) return 'inviteOperator'
  const isSwitchedOff = was['isOn'] === true && is['isOn'] === false && was['role'] === is['role']
  return Object.hasOwn(is, 'role') && !isSwitchedOff ? 'changeOperator' : null
}

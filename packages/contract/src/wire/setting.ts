import type { FeeType, TradingMode } from '@fairlot/core'
import { noun, type Codec } from '../codec.ts'
import { choice, decimal, integer, maybe, money, text, time, whole, withDefault } from '../field.ts'

const SETTING_KEYS = { registrationMode: 'is_show_mobile' } as const

const key: Codec<keyof typeof SETTING_KEYS> = choice(SETTING_KEYS, { reason: 'unknownSetting' })

export const settingQuery = noun({ key: ['key', key] })

/** Answers one setting under its own key. */
export const settings = noun({
  /** E-mail only, e-mail or mobile with its area code, or mobile only. */
  registrationMode: [
    SETTING_KEYS.registrationMode,
    maybe(choice({ email: 0, emailOrMobile: 1, mobile: 3 }, { otherwise: 'emailOrMobile' })),
  ],
})

const FEE_TYPES = { fixed: 1, rate: 2 } as const satisfies Record<FeeType, number>

const TRADING_MODES = { normal: 'normal', cancelOnly: 'cancelOnly' } as const satisfies Record<
  TradingMode,
  TradingMode
>

/** `cancelOnly`: an operator has paused trading; pending orders can be cancelled and stops moved. */
export const tradingMode = choice(TRADING_MODES)

export const basicInfo = noun({
  serviceLink: ['service_link', text],
  /** In the chat screen, or as a link in a dialog. */
  serviceOpensIn: ['service_link_type', choice({ chat: 1, dialog: 2 }, { otherwise: 'chat' })],
  /** A code sent to the user, or the answer of a picture. */
  registrationCheck: ['verify_reg_type', choice({ code: 1, captcha: 2 }, { otherwise: 'code' })],
  feeType: ['trade_fee_type', choice(FEE_TYPES, { otherwise: 'rate' })],
  creditScore: ['credit_score', integer],
  appMode: ['app_mode', choice({ broker: 'broker', main: 'main' })],
  currency: ['currency', text],
  riskWarning: ['risk_warning', text],
  /** A quote older than this, in ms, fills nothing. */
  freshnessMs: ['freshness_ms', whole(1)],
  /** Margin levels in percent: the warning and the stop-out. */
  warningLevel: ['warning_level', decimal],
  stopOutLevel: ['stop_out_level', decimal],
  demoBalance: ['demo_balance', money],
  tradingMode: ['trading_mode', tradingMode],
  /** Where cards are paid with: a provider's own page; empty for none. */
  cardLink: ['card_link', withDefault(text, '')],
  /** The market clock when this was answered, epoch ms: a replay's own time. */
  marketTime: ['market_time', time],
})

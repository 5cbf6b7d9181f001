import type { FeeType, TradingMode } from '@fairlot/core'
import { object, type Codec } from '../protocol/codec.ts'
import {
  choice,
  decimal,
  flag,
  integer,
  omittable,
  money,
  nullable,
  text,
  time,
  int,
  withDefault,
} from '../protocol/field.ts'

const SETTING_KEYS = { registrationMode: 'is_show_mobile' } as const

const key: Codec<keyof typeof SETTING_KEYS> = choice(SETTING_KEYS, { reason: 'unknownSetting' })

export const settingQuery = object({ key: ['key', key] })

/** A setting returned under its own key. */
export const settings = object({
  /** E-mail only, e-mail or mobile with its area code, or mobile only. */
  registrationMode: [
    SETTING_KEYS.registrationMode,
    omittable(choice({ email: 0, emailOrMobile: 1, mobile: 3 }, { otherwise: 'emailOrMobile' })),
  ],
})

const FEE_TYPES = { fixed: 1, rate: 2 } as const satisfies Record<FeeType, number>

const TRADING_MODES = {
  normal: 'normal',
  reduceOnly: 'reduceOnly',
  halted: 'halted',
  cancelOnly: 'cancelOnly',
} as const satisfies Record<TradingMode, TradingMode>

/**
 * `reduceOnly`: operators have paused trading; positions cannot be opened, everything else works. `halted`: no fills;
 * pending orders can be cancelled and stops moved. `cancelOnly` is no longer sent: it meant a pause before positions
 * could be closed in one.
 */
export const tradingMode = choice(TRADING_MODES)

export const basicInfo = object({
  serviceLink: ['service_link', text],
  /** In the chat screen, or as a link in a dialog. */
  serviceOpensIn: ['service_link_type', choice({ chat: 1, dialog: 2 }, { otherwise: 'chat' })],
  /** A code sent to the user, or the answer to a picture. */
  registrationCheck: ['verify_reg_type', choice({ code: 1, captcha: 2 }, { otherwise: 'code' })],
  feeType: ['trade_fee_type', choice(FEE_TYPES, { otherwise: 'rate' })],
  creditScore: ['credit_score', integer],
  appMode: ['app_mode', choice({ broker: 'broker', main: 'main' })],
  currency: ['currency', text],
  riskWarning: ['risk_warning', text],
  /** Orders are not filled at quotes older than this, in ms. */
  freshnessMs: ['freshness_ms', int(1)],
  /** Margin levels in percent: margin call and stop-out. */
  warningLevel: ['warning_level', decimal],
  stopOutLevel: ['stop_out_level', decimal],
  demoBalance: ['demo_balance', money],
  /** The starting balances that a demo account can be set to. */
  demoBalanceMin: ['demo_balance_min', money],
  demoBalanceMax: ['demo_balance_max', money],
  tradingMode: ['trading_mode', tradingMode],
  /** The operator's reason while trading is not open; empty otherwise. */
  tradingReason: ['trading_reason', withDefault(text, '')],
  /** The page of the card payment provider; empty for none. */
  cardLink: ['card_link', withDefault(text, '')],
  /** Whether withdrawals are for users with a verified identity. */
  needsIdentityToWithdraw: ['draw_needs_identity', withDefault(flag(1, 0), false)],
  /** Whether the venue has a single operator: deposits and withdrawals are not possible yet. */
  isSingleOperator: ['single_operator', flag(1, 0)],
  /**
   * From when a log-in as operator granted by the server's command, without two operators, is valid; null for none.
   */
  recoveryAt: ['recovery_at', nullable(time)],
  /** Its reason; empty for none. */
  recoveryReason: ['recovery_reason', withDefault(text, '')],
  /** The domain that passkeys are made for; null where there are none. */
  passkeyDomain: ['passkey_domain', nullable(text)],
  /** Raised when an older app must not send changes any more: see API_VERSION. */
  apiVersion: ['api_version', withDefault(int(1), 1)],
  /** The market clock at the time of the answer, epoch ms; in a replay the replay's. */
  marketTime: ['market_time', time],
})

type SwitchProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** A setting that takes effect at once. The label is part of the 44 px target. */
export const Switch = ({ label, isOn, onChange }: SwitchProps) => (
  <label className="flex min-h-11 items-center justify-between gap-4">
    <span className="text-body">{label}</span>
    <input
      type="checkbox"
      role="switch"
      checked={isOn}
      onChange={(event) => onChange(event.target.checked)}
      className="peer absolute appearance-none opacity-0"
    />
    <span
      aria-hidden
      className="h-7 w-12 shrink-0 rounded-full bg-line p-0.5 transition-colors peer-checked:bg-ink peer-focus-visible:outline-2 peer-focus-visible:outline-brass peer-checked:[&>span]:translate-x-5 rtl:peer-checked:[&>span]:-translate-x-5"
    >
      <span className="block size-6 rounded-full bg-surface transition-transform" />
    </span>
  </label>
)

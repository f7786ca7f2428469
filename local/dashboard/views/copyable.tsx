import { CopyButton, Icon } from "../components.js";

/** A text with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span class="copyable">
      <span class="mono break">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** A key, of which only the last four characters are shown. */
export function Secret(props: { text: string; label: string; onRegenerate: () => void }) {
  return (
    <span class="copyable">
      <span class="mono" aria-hidden="true">
        {"•".repeat(20)}
        {props.text.slice(-4)}
      </span>
      <CopyButton text={props.text} label={`Copy ${props.label}`} />
      <button
        type="button"
        class="icon-button"
        title={`Regenerate ${props.label}`}
        aria-label={`Regenerate ${props.label}`}
        onClick={props.onRegenerate}
      >
        <Icon name="retry" size={14} />
      </button>
    </span>
  );
}

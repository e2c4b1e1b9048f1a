// The parts that every section of the inspector is made of.
import type { JSX, ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  return (
    <section className="inspector-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A fact with its name; nothing where there is no such fact. */
export function Fact({ name, children }: { name: string; children: ReactNode }): JSX.Element | null {
  if (children === null || children === undefined || children === false) return null;
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

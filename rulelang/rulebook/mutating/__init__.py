"""Do scenarios notice when the rules are wrong? One thing of a program is changed at a time, and they are run again.

`spots` says where a program can be changed, `formulas`, `flow` and `declared` what can stand there instead, `changes`
lists every change of a program; `reached` says which scenarios come by a place, `noticing` runs them, `plain` compares
what closing makes of both, `survey` gives the verdict, `telling` says it as a scenario. Where two programs come apart
in play is looked for by `rulelang.play.apart`.
"""

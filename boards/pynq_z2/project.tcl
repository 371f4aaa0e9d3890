# SPDX-License-Identifier: Apache-2.0
# A Vivado project for the PYNQ-Z2: the coprocessor at the AXI port M_AXI_GP0 of the Zynq's processing system, its
# interrupt at IRQ_F2P. settings.tcl, beside this file, has what the design decides.
#
#     vivado -mode batch -source project.tcl
#
# leaves monpro.bit and monpro.hwh here, which PYNQ's Overlay("monpro.bit") takes.
set here [file dirname [file normalize [info script]]]
source [file join $here settings.tcl]

create_project -force monpro [file join $here project] -part $part
set preset 0
if {[llength [get_board_parts -quiet tul.com.tw:pynq-z2:part0:1.0]] != 0} {
    set_property board_part tul.com.tw:pynq-z2:part0:1.0 [current_project]
    set preset 1
}
foreach name $sources {
    add_files -norecurse [file join $here $name]
}
add_files -fileset constrs_1 -norecurse [file join $here pynq_z2.xdc]
update_compile_order -fileset sources_1

create_bd_design system
create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7 ps7
apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 \
    -config [list make_external "FIXED_IO, DDR" apply_board_preset $preset] [get_bd_cells ps7]
set_property -dict [list CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock_mhz CONFIG.PCW_USE_M_AXI_GP0 1 \
    CONFIG.PCW_USE_FABRIC_INTERRUPT 1 CONFIG.PCW_IRQ_F2P_INTR 1] [get_bd_cells ps7]

create_bd_cell -type module -reference monpro_axi $instance
set_property -dict $parameters [get_bd_cells $instance]
apply_bd_automation -rule xilinx.com:bd_rule:axi4 -config {Master /ps7/M_AXI_GP0 Clk Auto} \
    [get_bd_intf_pins $instance/s_axi]
connect_bd_net [get_bd_pins $instance/irq] [get_bd_pins ps7/IRQ_F2P]
create_bd_port -dir O led_o
connect_bd_net [get_bd_pins $instance/irq] [get_bd_ports led_o]
set_property -dict [list offset $address range $range] [get_bd_addr_segs ps7/Data/SEG_${instance}_reg0]
validate_bd_design
save_bd_design

add_files -norecurse [make_wrapper -files [get_files system.bd] -top]
set_property top system_wrapper [get_filesets sources_1]
update_compile_order -fileset sources_1
launch_runs impl_1 -to_step write_bitstream -jobs 2
wait_on_run impl_1
if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} {
    error "implementation did not end well: see project/monpro.runs"
}
file copy -force [file join $here project monpro.runs impl_1 system_wrapper.bit] [file join $here monpro.bit]
file copy -force [lindex [glob [file join $here project monpro.* sources_1 bd system hw_handoff system.hwh]] 0] \
    [file join $here monpro.hwh]
